import { z } from 'zod';
import { operation } from '../../../operations/index.ts';
import type { RpcCall } from '../call.ts';

export const serverInfo = operation({
  name: 'server/info',
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
  faces: { rpc: true },
  run(_, { store, version, access, project, heartbeatMs, maxBodyBytes }: RpcCall) {
    const { user, mayWrite, projects } = access;
    return {
      name: 'throughline' as const,
      version,
      store: { backend: store.facts.backend, readOnly: store.facts.readOnly ?? null },
      user,
      mayWrite,
      projects: projects === null ? null : [...projects],
      project: projects === null ? (project ?? null) : null,
      heartbeatMs,
      maxBodyBytes,
    };
  },
});
