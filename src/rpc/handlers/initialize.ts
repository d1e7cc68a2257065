import { refused } from '../../operations/index.ts';
import type { Handler } from '../call.ts';
import { PROTOCOL_VERSIONS } from '../client/protocol-version.ts';
import { MOST_IN_BATCH, MOST_NESTING } from '../dispatch/limits.ts';
import { METHODS, type Method, NOTIFICATIONS } from '../methods/index.ts';

const handshake: Handler<'initialize'> = ({ protocolVersions }, call) => {
  const { access, agents, store, version, line, maxBodyBytes, maxAnswerMs } = call;
  const { user, mayWrite, projects } = access;
  return {
    protocolVersion: agreeOn(protocolVersions),
    server: { name: 'throughline', version },
    token: { user, mayWrite, projects: projects === null ? null : [...projects] },
    capabilities: {
      methods: Object.entries<Method>(METHODS).flatMap(([name, { writes }]) =>
        writes && !mayWrite ? [] : [name],
      ),
      notifications: line ? Object.keys(NOTIFICATIONS) : [],
      transports: [...call.transports],
      readOnly: store.facts.readOnly ?? null,
      agents,
      approvals:
        agents && mayWrite ? ['once', 'session', ...(projects === null ? (['always'] as const) : [])] : [],
      limits: {
        bodyBytes: maxBodyBytes,
        batch: MOST_IN_BATCH,
        nesting: MOST_NESTING,
        answerMs: maxAnswerMs,
        approvalMs: call.approvalMs,
        heartbeatMs: call.heartbeatMs,
      },
    },
  };
};

function agreeOn(asked: readonly string[]): string {
  const common = PROTOCOL_VERSIONS.findLast((version) => asked.includes(version));
  if (common !== undefined) return common;
  throw refused(
    'protocol-unsupported',
    `The client speaks version ${asked.join(', ')} of the interface, and this server speaks ${PROTOCOL_VERSIONS.join(', ')}. Use a client or a server of another release.`,
    { asked: [...asked], spoken: [...PROTOCOL_VERSIONS] },
  );
}

export const initialize = { initialize: handshake };
