import { fieldsOf, isFields, textOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';

/** What a line is to a conversation. */
export type LineKind =
  | 'reply'
  | 'prompt'
  | 'results'
  /** Put into the conversation by the program: reminders, outputs of local commands, notes about interruptions. */
  | 'note'
  | 'compaction'
  /** Typed while the model was still answering. */
  | 'queued-prompt'
  | 'title'
  /** Nothing that was said; kept as it is. */
  | 'other'
  /** Of a type this version does not know; kept as it is. */
  | 'unknown'
  | 'misshapen';

const KNOWN = new Set([
  'summary',
  'system',
  'progress',
  'attachment',
  'file-history-snapshot',
  'file-history-delta',
  'queue-operation',
  'agent-name',
  'agent-color',
  'agent-setting',
  'tag',
  'last-prompt',
  'pr-link',
  'mode',
  'permission-mode',
  'worktree-state',
  'content-replacement',
  'attribution-snapshot',
  'speculation-accept',
  'task-summary',
  'bridge-session',
  'relocated',
]);

export function claudeLineKind(line: Fields): LineKind {
  const { type } = line;
  if (type === 'assistant') return hasContent(line) ? 'reply' : 'misshapen';
  if (type === 'user') return hasContent(line) ? kindOfUserLine(line) : 'misshapen';
  if (type === 'attachment' && isQueuedPrompt(line)) return 'queued-prompt';
  if (type === 'custom-title' || type === 'ai-title' || type === 'summary') return 'title';
  return typeof type === 'string' && KNOWN.has(type) ? 'other' : 'unknown';
}

function hasContent({ message }: Fields): boolean {
  const { content } = fieldsOf(message);
  return typeof content === 'string' || Array.isArray(content);
}

function kindOfUserLine(line: Fields): LineKind {
  const content = fieldsOf(line.message).content as string | readonly unknown[];
  if (line.isCompactSummary === true) return 'compaction';
  if (typeof content !== 'string' && content.some((block) => fieldsOf(block).type === 'tool_result'))
    return 'results';
  return line.isMeta === true || BY_PROGRAM.test(openingOf(content)) ? 'note' : 'prompt';
}

/** How lines begin that the program writes in the person's place. */
const BY_PROGRAM =
  /^(?:<(?:local-command-(?:stdout|stderr|caveat)|bash-(?:stdout|stderr)|task-notification|system-reminder)>|\[Request interrupted by user|Caveat: The messages below were generated)/;

function openingOf(content: string | readonly unknown[]): string {
  if (typeof content === 'string') return content;
  return textOf(fieldsOf(content.find((block) => fieldsOf(block).type === 'text')).text) ?? '';
}

function isQueuedPrompt({ attachment }: Fields): boolean {
  const { type, prompt } = fieldsOf(attachment);
  return type === 'queued_command' && (typeof prompt === 'string' || Array.isArray(prompt));
}

/** A line of a Claude Code file, as opposed to any other object in it. */
export function isClaudeLine(value: Fields): boolean {
  if (typeof value.type !== 'string') return false;
  if ('parentUuid' in value && typeof value.uuid === 'string') return true;
  if (value.type === 'summary') return typeof value.leafUuid === 'string';
  if (value.type === 'file-history-snapshot') return isFields(value.snapshot);
  return typeof value.sessionId === 'string' && !('payload' in value);
}
