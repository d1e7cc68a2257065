import { type Access, refused } from '../../operations/index.ts';
import { listApprovals, revokeAlways, revokeInSession } from '../../run/index.ts';
import type { Handler } from '../call.ts';

const pending: Handler<'ai/tool/pending'> = async ({ chatSessionId }, { find, runs }) => {
  const { id } = await find(chatSessionId);
  return {
    requests: runs.questions(id).flatMap(({ turn, event }) => {
      if (event.type !== 'approval-start') return [];
      const { toolCallId, toolName, input, scopes, until } = event;
      return [{ turn, toolCallId, toolName, input, scopes, until }];
    }),
  };
};

const answer: Handler<'ai/tool/answer'> = async (params, call) => {
  const { chatSessionId, toolCallId, approve: approved, scope, reason } = params;
  const { find, runs, access } = call;
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
};

const approvals: Handler<'ai/tool/approvals'> = async ({ chatSessionId }, { find, access }) => {
  const listed = await listApprovals(chatSessionId === undefined ? undefined : await find(chatSessionId));
  return {
    approvals: listed
      .filter(({ scope }) => scope === 'session' || access.projects === null)
      .map(({ scope, toolName, agent, at, by = null }) => ({ scope, toolName, agent, approvedAt: at, by })),
  };
};

const revoke: Handler<'ai/tool/revoke'> = async ({ scope, chatSessionId, toolName, agent }, call) => {
  if (scope === 'always') {
    mustReachAll(call.access);
    return { revoked: await revokeAlways({ toolName, agent }) };
  }
  if (chatSessionId === undefined)
    throw refused('usage', 'Name the session whose approvals are taken back: "chatSessionId".');
  return { revoked: await revokeInSession(call.store, await call.find(chatSessionId), { toolName }) };
};

/** What holds for good holds for every session of the machine. */
function mustReachAll({ projects }: Access): void {
  if (projects === null) return;
  throw refused('access-denied', 'Your token reaches some projects only: it cannot allow a tool for good.');
}

export const aiTool = {
  'ai/tool/pending': pending,
  'ai/tool/answer': answer,
  'ai/tool/approvals': approvals,
  'ai/tool/revoke': revoke,
};
