import { z } from 'zod';
import { Anything, ApprovalScope, SessionField } from '../../operations/index.ts';
import { method } from './method.ts';

const CallField = z.string().min(1).max(500).describe('From `approval-start` or `ai/tool/pending`.');

export const aiTool = {
  'ai/tool/pending': method({
    summary:
      'Tools of a session that wait for somebody to say whether they may run. Whoever watches is told by `approval-start`.',
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
  }),
  'ai/tool/answer': method({
    summary:
      'Lets a tool that waits for approval run, or does not. The first answer counts; with none within five minutes the tool is not run, and the model is told so.',
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
  }),
  'ai/tool/approvals': method({
    summary:
      'Tools that are run without asking, because somebody allowed them for the session or for good. What is allowed for good is told to tokens that reach everything.',
    params: z.strictObject({
      chatSessionId: SessionField.optional().describe('Also what was allowed in this session.'),
    }),
    result: z.strictObject({
      approvals: z.array(
        z.strictObject({
          scope: ApprovalScope.exclude(['once']),
          toolName: z.string(),
          agent: z.string().describe('The file of the agent module that the tool comes from.'),
          approvedAt: z.number(),
          by: z.string().nullable(),
        }),
      ),
    }),
  }),
  'ai/tool/revoke': method({
    summary: 'Takes back what was allowed for the session or for good: the next call is asked about again.',
    writes: true,
    params: z.strictObject({
      scope: ApprovalScope.exclude(['once']),
      chatSessionId: SessionField.optional().describe('Needed for `session`.'),
      toolName: z.string().min(1).max(500).optional().describe('All tools if not given.'),
      agent: z.string().min(1).max(4096).optional().describe('For `always`: only those of this module.'),
    }),
    result: z.strictObject({ revoked: z.int().describe('How many were taken back.') }),
  }),
} as const;
