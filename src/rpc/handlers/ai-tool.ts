import type { Handler } from '../call.ts';

const pending: Handler<'ai/tool/pending'> = async ({ chatSessionId }, { find, runs }) => {
  const { id } = await find(chatSessionId);
  return {
    requests: runs.questions(id).flatMap(({ turn, event }) => {
      if (event.type !== 'approval-start') return [];
      const { toolCallId, toolName, input, until } = event;
      return [{ turn, toolCallId, toolName, input, until }];
    }),
  };
};

const answer: Handler<'ai/tool/answer'> = async (params, { find, runs, access }) => {
  const { chatSessionId, toolCallId, approve: approved, reason } = params;
  const { id } = await find(chatSessionId);
  const verdict = { approved, by: access.user, ...(reason !== undefined && { reason }) };
  return { answered: runs.answer(id, toolCallId, verdict) };
};

export const aiTool = { 'ai/tool/pending': pending, 'ai/tool/answer': answer };
