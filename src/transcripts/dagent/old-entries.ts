import { hash } from 'node:crypto';
import type { Message } from '../../record/index.ts';
import { fieldsOf, textOf, timeOf } from '../source/fields.ts';
import type { Fields } from '../source/recover-line.ts';
import type { FoundSettings } from '../transcript.ts';

// Two layouts came before the four files: chat.json, a list of entries with a role, and the sessions of tasks, where a
// harness and a task sent each other messages. Neither is written any more.

/** What such a file is known by: its task, or how it begins. */
export function sessionOfOldFile(
  head: Fields,
  first: unknown,
): { key: string; settings: FoundSettings; createdAt?: number } {
  const task = textOf(head.taskId);
  const agent = textOf(head.agentId);
  const start = timeOf(head.startedAt) ?? timeOf(fieldsOf(first).timestamp);
  const name = task
    ? [task, agent].filter(Boolean).join('-')
    : `chat-${hash('sha256', JSON.stringify(first ?? head)).slice(0, 12)}`;
  return {
    key: name,
    settings: { agent: agent ?? 'dagent', ...(task && { taskId: task }) },
    ...(start !== undefined && { createdAt: start }),
  };
}

const DIRECTIONS: Readonly<Record<string, Message['role']>> = {
  harness_to_task: 'user',
  task_to_harness: 'assistant',
};

export function readOldEntry(item: unknown): Message | undefined {
  const { role, direction, content, ...rest } = fieldsOf(item);
  const known =
    role === 'user' || role === 'assistant' || role === 'system' ? role : DIRECTIONS[String(direction)];
  if (!known || typeof content !== 'string') return undefined;
  const kept = { ...(direction !== undefined && { direction }), ...rest };
  return { kind: 'message', role: known, parts: [{ type: 'text', text: content }], meta: { dagent: kept } };
}
