import { z } from 'zod';
import { Anything, ApprovalScope, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import type { TurnApp } from '../turn-app.ts';

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
