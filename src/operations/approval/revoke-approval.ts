import { z } from 'zod';
import { revokeAlways, revokeInSession } from '../../run/index.ts';
import { ApprovalScope, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { mustReachAll } from './must-reach-all.ts';

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
