import { fieldsOf, isFields } from '../source/fields.ts';
import type { Fields } from '../source/recover-line.ts';
import type { Sample } from './take-sample.ts';

// Names and endings lie, so the content decides. Any of the first records may tell: the very first may be damaged.

export function isThroughline({ records, text }: Sample): boolean {
  return text.startsWith('{"throughline":') || records.some(({ throughline }) => throughline === 1);
}

const CLAUDE_NOTES = new Set(['file-history-snapshot', 'queue-operation', 'summary']);

export function isClaudeCode({ records }: Sample): boolean {
  const isMessage = ({ uuid, type, parentUuid }: Fields) =>
    typeof uuid === 'string' && typeof type === 'string' && parentUuid !== undefined;
  if (records.some(isMessage)) return true;
  const isNote = ({ type, snapshot, sessionId, leafUuid }: Fields) =>
    CLAUDE_NOTES.has(String(type)) &&
    (isFields(snapshot) || sessionId !== undefined || leafUuid !== undefined);
  return records.length > 0 && records.every(isNote);
}

const CODEX_LINES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);

export function isCodex({ records }: Sample): boolean {
  const isTyped = ({ type, payload }: Fields) => CODEX_LINES.has(String(type)) && isFields(payload);
  const isHeader = ({ type, id, timestamp, instructions, git }: Fields) =>
    type === undefined &&
    typeof id === 'string' &&
    typeof timestamp === 'string' &&
    (instructions !== undefined || git !== undefined);
  return records.some((record) => isTyped(record) || isHeader(record) || record.record_type === 'state');
}

export function isPi({ records }: Sample): boolean {
  return records.some(({ type, id, timestamp, message }) => {
    if (typeof timestamp !== 'string') return false;
    return type === 'session' ? typeof id === 'string' : type === 'message' && 'role' in fieldsOf(message);
  });
}

export function isCopilot({ records }: Sample): boolean {
  return records.some(
    ({ type, data }) =>
      isFields(data) && (type === 'session.start' || type === 'user.message' || type === 'assistant.message'),
  );
}

export function isGemini({ records, keys }: Sample): boolean {
  const has = (...names: string[]) => names.every((name) => keys.includes(name));
  if (has('sessionId', 'messages') && (has('projectHash') || has('startTime'))) return true;
  return records.some(
    ({ sessionId, startTime, projectHash, type }) =>
      typeof sessionId === 'string' && type === undefined && (startTime ?? projectHash) !== undefined,
  );
}

export function isOpencode({ keys, text }: Sample): boolean {
  return keys[0] === 'info' && /"id"\s*:\s*"ses_/.test(text);
}

export function isChatGpt({ keys, text }: Sample): boolean {
  if (keys.includes('mapping')) return true;
  return /^\s*\[/.test(text) && /"mapping"\s*:\s*\{/.test(text);
}

/** The first page of a database holds its schema. */
export function isEcp({ bytes, text }: Sample): boolean {
  const magic = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(16, bytes.length)).toString('latin1');
  return (
    magic === 'SQLite format 3\0' && /CREATE TABLE[^(]*\bcompactions\b/i.test(text) && /is_active/.test(text)
  );
}

export function isDagent({ keys, text }: Sample): boolean {
  const has = (...names: string[]) => names.every((name) => keys.includes(name));
  if (has('sessionId', 'messages')) return !has('projectHash') && !has('startTime');
  if (has('taskId', 'messages')) return true;
  return keys[0] === 'entries' && /"role"\s*:/.test(text);
}

export function isArmy({ keys, text }: Sample): boolean {
  if (keys[0] !== 'messages' || keys.includes('sessionId')) return false;
  // The second field may be far away; what the messages look like is at hand.
  return (
    keys.includes('context') ||
    /^\s*\{\s*"messages"\s*:\s*\[\s*\{\s*"role"\s*:\s*"[a-z]+"\s*,\s*"content"\s*:/.test(text)
  );
}

export function isMarkdown({ text }: Sample): boolean {
  return /^# .+ Conversation\s*$/m.test(text) && /^\*\*(?:Session ID|Date):\*\*/m.test(text);
}
