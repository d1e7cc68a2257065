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
  'models/list': method({
    summary:
      'Models to choose from: what each provider gives by default, and what sessions use. Any other can be named too.',
    params: z.strictObject({}),
    result: z.strictObject({
      models: z.array(
        z.strictObject({
          id: z.string().describe('`provider:model`'),
          provider: z.string(),
          model: z.string(),
          label: z.string(),
          configured: z.boolean().describe('Whether the server has what it takes to ask it.'),
          isDefault: z.boolean().describe('The one that answers when nobody names one.'),
          window: z.int(),
          output: z.int(),
        }),
      ),
    }),
  }),
  'projects/list': method({
    summary: 'Every project, also those that only sessions name, the one used last first.',
    params: z.strictObject({}),
    result: z.strictObject({
      projects: z.array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          folder: z.string().nullable(),
          labels: z.array(z.string()).describe('What sessions call it besides its id and its folder.'),
          known: z.boolean().describe('Whether something was written down about it.'),
          sessions: z.int(),
          updatedAt: z.number(),
        }),
      ),
    }),
  }),
  'rpc.discover': method({
    summary: 'This interface as an OpenRPC document.',
    params: z.strictObject({}),
    result: z.looseObject({ openrpc: z.string() }),
  }),
} as const;
