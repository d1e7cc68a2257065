import { z } from 'zod';
import { Anything, SessionField } from './fields.ts';
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
      reason: z.string().max(2000).optional().describe('Told to the model when the tool is not run.'),
    }),
    result: z.strictObject({
      answered: z.boolean().describe('`false`: it does not wait any more, and this changed nothing.'),
    }),
  }),
} as const;
