import { Author, type Compaction } from './compaction.ts';
import { isEntryId } from './entry-id.ts';
import { Message, Role } from './message.ts';
import { MAX_SEQ } from './seq.ts';
import type { Summary, SummaryLine } from './summary.ts';
import { Usage } from './usage.ts';

// Most of what is read and written are plain messages, and the first thing read of a shortened session is a plain
// compaction. Those need no schema to be known as sound: compiling one takes a process longer than opening the session.
// What is not plain goes to the schema, so these may only say yes where the schema does.

const ROLES: readonly string[] = Role.options;
const AUTHORS: readonly string[] = Author.shape.kind.options;
const AUTHOR_FIELDS = Object.keys(Author.shape);
const MESSAGE_FIELDS: readonly string[] = Object.keys(Message.shape);
const USAGE_FIELDS: readonly string[] = Object.keys(Usage.shape);

export function isPlainMessage({ role, parts, status, model, usage, durationMs, meta }: Message): boolean {
  if (durationMs !== undefined && !isAmount(durationMs)) return false;
  if ((status !== undefined && status !== 'complete') || (model !== undefined && !isText(model)))
    return false;
  if ((usage !== undefined && !isPlainUsage(usage)) || (meta !== undefined && !isBare(meta))) return false;
  if (!ROLES.includes(role) || !Array.isArray(parts)) return false;
  return parts.every((part) => isObject(part) && isText((part as { type?: unknown }).type));
}

/** Also without a field that the schema does not have. */
export function isStrictlyPlainMessage(body: Message): boolean {
  for (const field in body) if (!MESSAGE_FIELDS.includes(field)) return false;
  return isPlainMessage(body);
}

export function isPlainCompaction(body: Compaction): boolean {
  const { level, covers, children, summary, tokensBefore, tokensAfter, by, retention } = body;
  if (body.usage !== undefined || body.instructions !== undefined || body.meta !== undefined) return false;
  if (
    !isObject(covers) ||
    !isCount(covers.from, 1) ||
    !isCount(covers.to, covers.from) ||
    covers.to > MAX_SEQ
  )
    return false;
  if (Object.keys(covers).length !== 2 || !isCount(level, 1) || !areIds(children)) return false;
  if (!isCount(tokensBefore, 0) || !isCount(tokensAfter, 0)) return false;
  if (typeof retention !== 'number' || !(retention >= 0 && retention <= 1)) return false;
  return isPlainAuthor(by) && isPlainSummary(summary);
}

function isPlainUsage(usage: Usage): boolean {
  if (!isBare(usage) || !isAmount(usage.inputTokens) || !isAmount(usage.outputTokens)) return false;
  for (const field in usage)
    if (!USAGE_FIELDS.includes(field) || !isAmount(usage[field as keyof Usage])) return false;
  return true;
}

function isPlainAuthor(by: Author): boolean {
  if (!isObject(by) || !AUTHORS.includes(by.kind)) return false;
  return Object.entries(by).every(([key, value]) => AUTHOR_FIELDS.includes(key) && isText(value));
}

function isPlainSummary(summary: Summary): boolean {
  if (!isObject(summary) || !isText(summary.background) || !isText(summary.overview)) return false;
  const { topics, decisions, completed, pending, blockers, facts, files, ledger } = summary;
  const { goal = [], state = [], standing = [], dropped = [] } = summary;
  const lists = [topics, decisions, completed, pending, blockers, facts, goal, state, standing, dropped];
  const lines = lists.every((list) => isList(list, isPlainLine));
  return (
    lines &&
    isList(
      files,
      ({ path, operations, from }) =>
        isText(path) && isList(operations, isText) && (from === undefined || areIds(from)),
    ) &&
    isList(
      ledger,
      ({ kind, text, entry }) => isText(kind) && isText(text) && isText(entry) && isEntryId(entry),
    )
  );
}

function isPlainLine({ text, from, reason, supersedes }: SummaryLine): boolean {
  const told = (value: unknown) => value === undefined || isText(value);
  return isText(text) && areIds(from) && told(reason) && told(supersedes);
}

function isList<T>(value: readonly T[], isItem: (item: T) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => item !== null && item !== undefined && isItem(item));
}

function areIds(value: readonly string[]): boolean {
  return isList(value, (id) => isText(id) && isEntryId(id));
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
}

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** An object as JSON makes it, and not of some class. */
function isBare(value: unknown): boolean {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
