import { fieldsOf, isFields } from '../source/fields.ts';
import { type Fields, parseObject } from '../source/recover-line.ts';
import type { TranscriptSource } from '../transcript.ts';

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

/** How a file begins: enough to tell whose it is. */
export interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The same as text, up to the last whole character. */
  readonly text: string;
  /** The lines at the beginning that are JSON objects. */
  readonly records: readonly Fields[];
  /** Keys of the object that the file is one of, as far as they are at its beginning. */
  readonly keys: readonly string[];
}

const ENOUGH = 256 * 1024;
const MOST_RECORDS = 50;

export async function takeSample(source: TranscriptSource): Promise<Sample> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source.chunks()) {
    if (chunk === null) break;
    chunks.push(Uint8Array.from(chunk));
    size += chunk.length;
    if (size >= ENOUGH) break;
  }
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return { name: source.name, bytes, text, records: recordsIn(text), keys: keysIn(text) };
}

function recordsIn(text: string): Fields[] {
  const records: Fields[] = [];
  for (const line of text.split('\n', 400)) {
    const value = line.startsWith('{') ? parseObject(line) : undefined;
    if (value) records.push(value);
    if (records.length === MOST_RECORDS) break;
  }
  return records;
}

/** The keys of the outermost object, whatever its layout; values are passed over. */
function keysIn(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  let expecting = false;
  const token = /"((?:[^"\\]|\\.)*)"|[{}[\],]/gs;
  for (let match = token.exec(text); match && keys.length < 50; match = token.exec(text)) {
    const [symbol, inside] = match;
    if (inside !== undefined) {
      if (depth === 1 && expecting) keys.push(inside);
      expecting = false;
    } else if (symbol === '{' || symbol === '[') {
      depth++;
      expecting = symbol === '{' && depth === 1;
    } else if (symbol === ',') expecting = depth === 1;
    else if (--depth <= 0) break;
  }
  return keys;
}
