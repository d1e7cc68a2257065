import type { Handler } from '../call.ts';
import { describeInterface } from '../describe-interface.ts';

const info: Handler<'server/info'> = (_, call) => {
  const { store, version, access, project, heartbeatMs, maxBodyBytes } = call;
  return {
    name: 'throughline',
    version,
    store: { backend: store.facts.backend, readOnly: store.facts.readOnly ?? null },
    user: access.user,
    mayWrite: access.mayWrite,
    projects: access.projects === null ? null : [...access.projects],
    project: access.projects === null ? (project ?? null) : null,
    heartbeatMs,
    maxBodyBytes,
  };
};

export const server = {
  'server/info': info,
  'rpc.discover': ((_, { version }) => describeInterface(version)) satisfies Handler<'rpc.discover'>,
};
