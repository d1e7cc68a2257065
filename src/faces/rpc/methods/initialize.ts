import { z } from 'zod';
import { ApprovalScope, operation, refused } from '../../../operations/index.ts';
import type { RpcCall } from '../call.ts';
import { PROTOCOL_VERSIONS } from '../client/protocol-version.ts';
import { MOST_IN_BATCH, MOST_NESTING } from '../dispatch/lanes.ts';
import { NOTIFICATIONS } from './notifications.ts';

const Version = z.string().min(1).max(100);

export const initialize = operation({
  name: 'initialize',
  summary:
    'A handshake: says who calls and which versions of the interface it speaks, and gives the version to use and what this server and this token can do. Nothing depends on it; it may be called at any time, or not at all.',
  // A newer client says more than this server knows of, and must be able to shake hands.
  fails: ['protocol-unsupported'],
  params: z.looseObject({
    client: z
      .looseObject({ name: z.string().min(1).max(200), version: Version.optional() })
      .optional()
      .describe('Who calls.'),
    protocolVersions: z
      .array(Version)
      .min(1)
      .max(20)
      .default(['1'])
      .describe(
        'Those that the client speaks. If the server speaks none of them, that is `protocol-unsupported`, with those it speaks in `details.spoken`.',
      ),
  }),
  result: z.strictObject({
    protocolVersion: z.string().describe('The newest one that both speak.'),
    server: z.strictObject({ name: z.literal('throughline'), version: z.string() }),
    token: z
      .strictObject({
        user: z.string(),
        mayWrite: z.boolean(),
        projects: z.array(z.string()).nullable().describe('Those that it reaches; `null` for all.'),
      })
      .describe('Who you are here.'),
    capabilities: z.strictObject({
      methods: z.array(z.string()).describe('Those that your token may call.'),
      notifications: z
        .array(z.string())
        .describe('Those that can come on this line: none where only the answer can be sent.'),
      transports: z
        .array(z.enum(['http', 'event-stream', 'websocket', 'stdio']))
        .describe('Those that this server offers.'),
      readOnly: z.string().nullable().describe('Why nothing can be stored, if so.'),
      agents: z.boolean().describe('Whether sessions run the agent module that they remember.'),
      approvals: z
        .array(ApprovalScope)
        .describe('What your token may answer to a tool that needs approval; nothing where none is run.'),
      limits: z.strictObject({
        bodyBytes: z.int().describe('The largest request.'),
        batch: z.int().describe('Requests in one batch.'),
        nesting: z.int().describe('How deep a request may be nested.'),
        answerMs: z.int().describe('How long an answer may take, turns of a model aside.'),
        approvalMs: z.int().describe('How long a tool waits for approval.'),
        heartbeatMs: z.int().describe('How often a connection is told that the server lives.'),
      }),
    }),
  }),
  faces: { rpc: true },
  run({ protocolVersions }, call: RpcCall) {
    const { access, agents, store, version, line, maxBodyBytes, maxAnswerMs } = call;
    const { user, mayWrite, projects } = access;
    return {
      protocolVersion: agreeOn(protocolVersions),
      server: { name: 'throughline' as const, version },
      token: { user, mayWrite, projects: projects === null ? null : [...projects] },
      capabilities: {
        methods: call.methods.flatMap(({ name, writes }) => (writes && !mayWrite ? [] : [name])),
        notifications: line ? Object.keys(NOTIFICATIONS) : [],
        transports: [...call.transports],
        readOnly: store.facts.readOnly ?? null,
        agents,
        approvals:
          agents && mayWrite
            ? ApprovalScope.options.filter((scope) => scope !== 'always' || projects === null)
            : [],
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
  },
});

function agreeOn(asked: readonly string[]): string {
  const common = PROTOCOL_VERSIONS.findLast((version) => asked.includes(version));
  if (common !== undefined) return common;
  throw refused(
    'protocol-unsupported',
    `The client speaks version ${asked.join(', ')} of the interface, and this server speaks ${PROTOCOL_VERSIONS.join(', ')}. Use a client or a server of another release.`,
    { asked: [...asked], spoken: [...PROTOCOL_VERSIONS] },
  );
}
