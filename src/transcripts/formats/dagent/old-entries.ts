import { hash } from 'node:crypto';
import type { Message } from '../../../record/index.ts';
import { fieldsOf, textOf, timeOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { FoundSettings } from '../../transcript.ts';

// Two layouts came before the four files: chat.json, a list of entries with a role, and the sessions of tasks, where a
// harness and a task sent each other messages. Neither is written any more.

const HOMED = /-[0-9a-f]{16}$/;

/** True for the key of a session whose file was read with the place that it belongs to. */
export function isHomedChat(key: string): boolean {
  return HOMED.test(key);
}

/** The key of an old file: its task or its beginning, and the place that it belongs to, if that is known. */
export function sessionOfOldFile(
  head: Fields,
  first: unknown,
  home: string | undefined,
): { key: string; settings: FoundSettings; createdAt?: number } {
  const task = textOf(head.taskId);
  const agent = textOf(head.agentId);
  const start = timeOf(head.startedAt) ?? timeOf(fieldsOf(first).timestamp);
  const beginning = first ?? head;
  const names = task ? [task, agent].filter((part) => part !== undefined) : ['chat'];
  const known =
    home === undefined ? (task ? [] : [digestOf(beginning).slice(0, 12)]) : [digestOf([home, beginning])];
  return {
    key: [...names, ...known].join('-'),
    settings: { agent: agent ?? 'dagent', ...(task && { taskId: task }) },
    ...(start !== undefined && { createdAt: start }),
  };
}

function digestOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16);
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
