import { z } from 'zod';
import { ApprovalScope, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import type { TurnApp } from '../turn-app.ts';
import { mustReachAll } from './must-reach-all.ts';

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
