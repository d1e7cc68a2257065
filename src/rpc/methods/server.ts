import { z } from 'zod';
import { method } from './method.ts';

export const server = {
  'server/info': method({
    summary: 'What this server is, and what your token may do. `initialize` says more.',
    params: z.strictObject({}),
    result: z.strictObject({
      name: z.literal('throughline'),
      version: z.string(),
      store: z.strictObject({ backend: z.string(), readOnly: z.string().nullable() }),
      user: z.string(),
      mayWrite: z.boolean(),
      projects: z.array(z.string()).nullable().describe('Those that your token reaches; `null` for all.'),
      project: z
        .string()
        .nullable()
        .describe(
          'What a session that is started here belongs to unless somebody says otherwise; sessions that name no project get none.',
        ),
      heartbeatMs: z.int(),
      maxBodyBytes: z.int(),
    }),
  }),
  'rpc.discover': method({
    summary: 'This interface as an OpenRPC document.',
    params: z.strictObject({}),
    result: z.looseObject({ openrpc: z.string() }),
  }),
} as const;
