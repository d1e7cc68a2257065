import type { Repository } from './workshop.ts';

export const HOME = '.dagent-worktrees/auth/.dagent';
export const UUID = '3f2b8c1e-7a54-4d2c-9a0e-5b6c7d8e9f01';

/** Files as an orchestrator keeps them for a feature with one task. */
export function writeLayout({ write }: Repository): void {
  const json = (file: string, value: unknown) => write(file, JSON.stringify(value, null, 2));
  const at = '2025-12-30T11:21:53.000Z';
  json(`${HOME}/feature.json`, {
    id: 'auth',
    name: 'Sign in',
    state: 'planning',
    colour: 'green',
    sessionId: 'none',
  });
  json(`${HOME}/nodes/login/task.json`, {
    title: 'Build the login',
    description: 'Two fields.',
    dependsOn: ['store'],
    currentState: 'in_qa',
    states: { planning: { sessionIds: [] }, in_dev: { sessionIds: [UUID] }, in_qa: { sessionIds: [] } },
  });
  json(`${HOME}/nodes/store/task.json`, { title: 'Keep sessions', currentState: 'done' });
  const sessions = `${HOME}/nodes/login/sessions`;
  json(`${sessions}/chat_${UUID}.json`, {
    sessionId: UUID,
    messages: [
      { id: 'm1', timestamp: at, role: 'user', content: 'Iteration 9: mend the test.', tokens: 8 },
      { id: 'm2', timestamp: at, role: 'assistant', content: 'I mended it.', tokens: 5 },
    ],
    metadata: { createdAt: at, updatedAt: at, messageCount: 2, tokenCount: 13 },
  });
  json(`${sessions}/checkpoint_${UUID}.json`, {
    sessionId: UUID,
    version: 3,
    createdAt: at,
    updatedAt: at,
    summary: {
      completedItems: ['the form'],
      pendingItems: ['the check'],
      decisions: ['no cookies'],
      blockers: ['the key'],
    },
    ralphLoop: { currentIteration: 9, passedChecks: ['build'], failedChecks: ['test'], lastError: 'boom' },
    tokens: { checkpoint: 40, lastCompactionInput: 90_000, totalSaved: 250_000 },
  });
  json(`${sessions}/context_${UUID}.json`, {
    sessionId: UUID,
    type: 'dev-task',
    featureId: 'auth',
    taskId: 'login',
    project: { structure: {}, recentCommits: [] },
    updatedAt: at,
    tokens: 20,
  });
  json(`${sessions}/agent-description_${UUID}.json`, {
    sessionId: UUID,
    agentType: 'dev',
    role: 'You develop.',
    instructions: [],
    allowedTools: ['edit'],
    createdAt: at,
    tokens: 5,
  });
}
