import { z } from 'zod';
import { listApprovals, revokeAlways, revokeInSession } from '../../agent/index.ts';
import type { Access } from '../access.ts';
import { Anything, ApprovalScope, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import type { TurnApp } from '../turn-app.ts';

const CallField = z.string().min(1).max(500).describe('From `approval-start` or `ai/tool/pending`.');

export const answerRequest = operation({
  name: 'ai/tool/answer',
  summary:
    'Lets a tool that waits for approval run, or refuses it. The first answer counts; without one within five minutes the tool is not run, and the model reads that it was refused.',
  writes: true,
  params: z.strictObject({
    chatSessionId: SessionField,
    toolCallId: CallField,
    approve: z.boolean(),
    scope: ApprovalScope.default('once').describe(
      'How long a yes holds. `session`: for this tool in this session, also after a restart. `always`: for this tool of this agent module in every session on this machine, if your token reaches everything. Neither depends on what the tool is given.',
    ),
    reason: z.string().max(2000).optional().describe('Told to the model when the tool is not run.'),
  }),
  result: z.strictObject({
    answered: z.boolean().describe('`false`: it does not wait any more, and this changed nothing.'),
  }),
  faces: { rpc: true },
  async run(params, app: TurnApp) {
    const { chatSessionId, toolCallId, approve: approved, scope, reason } = params;
    const { find, runs, access } = app;
    const { id } = await find(chatSessionId);
    if (scope !== 'once') {
      if (!approved) throw refused('usage', 'Only a yes can hold for longer than once.', { scope });
      if (scope === 'always') mustReachAll(access);
      const asked = runs
        .questions(id)
        .find(({ event }) => event.type === 'approval-start' && event.toolCallId === toolCallId)?.event;
      if (asked?.type === 'approval-start' && !asked.scopes.includes(scope))
        throw refused('usage', `${asked.toolName} can only be allowed once: it asks every time.`, { scope });
    }
    const verdict = { approved, scope, by: access.user, ...(reason !== undefined && { reason }) };
    return { answered: runs.answer(id, toolCallId, verdict) };
  },
});

export const listRequests = operation({
  name: 'ai/tool/pending',
  summary:
    'Tool calls of a session that wait for an approval. Clients that watch the session get `approval-start`.',
  params: z.strictObject({ chatSessionId: SessionField }),
  result: z.strictObject({
    requests: z.array(
      z.strictObject({
        turn: z.string().describe('The id of the message that is being answered.'),
        toolCallId: z.string(),
        toolName: z.string(),
        input: Anything,
        scopes: z.array(ApprovalScope).describe('What `ai/tool/answer` may say.'),
        until: z.number().describe('Then it is denied. Milliseconds since 1970.'),
      }),
    ),
  }),
  faces: { rpc: true },
  async run({ chatSessionId }, { find, runs }: TurnApp) {
    const { id } = await find(chatSessionId);
    return {
      requests: runs.questions(id).flatMap(({ turn, event }) => {
        if (event.type !== 'approval-start') return [];
        const { toolCallId, toolName, input, scopes, until } = event;
        return [{ turn, toolCallId, toolName, input, scopes, until }];
      }),
    };
  },
});

const Kept = z.strictObject({
  scope: ApprovalScope.exclude(['once']),
  toolName: z.string(),
  agent: z.string().describe('The file of the agent module that the tool comes from.'),
});

export const listToolApprovals = operation({
  name: 'ai/tool/approvals',
  summary:
    'Tools that run without asking, because they were allowed for the session or for good. Approvals for good are shown to tokens that reach everything.',
  params: z.strictObject({
    chatSessionId: SessionField.optional().describe('Also the approvals of this session.'),
    toolName: z.string().min(1).max(500).optional().describe('Only approvals of this tool.'),
    agent: z.string().min(1).max(4096).optional().describe('Only approvals of this agent module.'),
  }),
  result: z.strictObject({
    approvals: z.array(Kept.extend({ approvedAt: z.number(), by: z.string().nullable() })),
  }),
  faces: {
    help: {
      approvals:
        'List the tools that agents may run without asking: for good, and with --session those of a session.',
    },
    rpc: true,
    cli: {
      approvals: {
        schema: z.array(Kept.extend({ at: z.number(), by: z.string().optional() })),
        of: ({ approvals }) =>
          approvals.map(({ approvedAt: at, by, ...kept }) => ({ ...kept, at, ...(by !== null && { by }) })),
      },
    },
  },
  async run({ chatSessionId, toolName: tool, agent: module }, { find, access }) {
    const listed = await listApprovals(chatSessionId === undefined ? undefined : await find(chatSessionId));
    return {
      approvals: listed
        .filter(({ scope }) => scope === 'session' || access.projects === null)
        .filter(({ toolName }) => tool === undefined || toolName === tool)
        .filter(({ agent }) => module === undefined || agent === module)
        .map(({ scope, toolName, agent, at, by = null }) => ({ scope, toolName, agent, approvedAt: at, by })),
    };
  },
});

export const revokeApproval = operation({
  name: 'ai/tool/revoke',
  summary: 'Takes approvals back, those of a session or those for good: the next call is asked about again.',
  writes: true,
  params: z.strictObject({
    scope: ApprovalScope.exclude(['once']),
    chatSessionId: SessionField.optional().describe('Needed for `session`.'),
    toolName: z.string().min(1).max(500).optional().describe('All tools if not given.'),
    agent: z.string().min(1).max(4096).optional().describe('For `always`: only those of this module.'),
  }),
  result: z.strictObject({ revoked: z.int().describe('How many were taken back.') }),
  faces: { rpc: true, cli: { 'approvals --revoke': 'result' } },
  async run({ scope, chatSessionId, toolName, agent }, app) {
    if (scope === 'always') {
      mustReachAll(app.access);
      return { revoked: await revokeAlways({ toolName, agent }) };
    }
    if (chatSessionId === undefined)
      throw refused('usage', 'Name the session whose approvals are taken back: "chatSessionId".');
    return { revoked: await revokeInSession(app.store, await app.find(chatSessionId), { toolName }) };
  },
});

/** An approval for good holds for every session of the machine. */
function mustReachAll({ projects }: Access): void {
  if (projects === null) return;
  throw refused('access-denied', 'Your token reaches some projects only: it cannot allow a tool for good.');
}
