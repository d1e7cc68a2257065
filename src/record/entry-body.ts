import { z } from 'zod';
import { ThroughlineError } from '../errors.ts';
import { Author, Compaction } from './compaction.ts';
import { Document } from './document.ts';
import { isEntryId } from './entry-id.ts';
import { Fact, JudgedFact, StatedFact } from './fact.ts';
import { Mark, Restoration } from './marks.ts';
import { Merge } from './merge.ts';
import { Message, Role } from './message.ts';
import { ReadableRun, Run } from './run.ts';
import { MAX_SEQ } from './seq.ts';
import { Setting } from './setting.ts';
import type { Summary, SummaryLine } from './summary.ts';
import { Usage } from './usage.ts';
import { Loop, ReadableWork, Todo, WorkLabel } from './work.ts';

const BODIES = {
  message: Message,
  compaction: Compaction,
  mark: Mark,
  restoration: Restoration,
  setting: Setting,
  todo: Todo,
  document: Document,
  loop: Loop,
  merge: Merge,
  fact: Fact,
  run: Run,
  work: WorkLabel,
} as const;

export type EntryKind = keyof typeof BODIES;
export const ENTRY_KINDS = Object.keys(BODIES) as readonly EntryKind[];

/** A kind this version does not know, kept whole: from a newer version, or a foreign line an importer carries along. */
export const UnknownBody = z.strictObject({
  kind: z.literal('unknown'),
  was: z.string().min(1),
  value: z.looseObject({ kind: z.string() }),
});
export interface UnknownBody {
  kind: 'unknown';
  was: string;
  value: { readonly kind: string; readonly [field: string]: unknown };
}

type KnownBody =
  | Message
  | Compaction
  | Mark
  | Restoration
  | Setting
  | Todo
  | Document
  | Loop
  | Merge
  | Fact
  | Run
  | WorkLabel;
export type EntryBody = KnownBody | UnknownBody;

/** Strict, for the way in: a misspelt field is an error now rather than a loss later. */
export function checkBody(body: unknown): EntryBody {
  const kind = (body as { kind?: unknown } | null)?.kind;
  if (kind === 'message' && isStrictlyPlainMessage(body as Message)) return body as Message;
  const schema = kind === 'unknown' ? UnknownBody : isKnown(kind) ? BODIES[kind] : undefined;
  if (!schema) throw invalid(`no entry kind "${String(kind)}"; known are ${ENTRY_KINDS.join(', ')}`);
  const result = schema.safeParse(body);
  if (!result.success) throw invalid(`${String(kind)}: ${z.prettifyError(result.error)}`, result.error);
  const unknown = body as UnknownBody;
  if (kind === 'unknown' && (isKnown(unknown.was) || unknown.value.kind !== unknown.was)) {
    throw invalid(`"unknown" wraps a value of kind "${unknown.value.kind}" as "${unknown.was}"`);
  }
  return body as EntryBody;
}

/** Loose copies, for the way out: a field from a newer version is kept. */
export const READABLE_BODIES = {
  message: Message.loose(),
  compaction: Compaction.loose(),
  mark: Mark.loose(),
  restoration: Restoration.loose(),
  setting: Setting.loose(),
  todo: Todo.loose(),
  document: Document.loose(),
  loop: Loop.loose(),
  merge: Merge.loose(),
  fact: z.discriminatedUnion('step', [StatedFact.loose(), JudgedFact.loose()]),
  run: ReadableRun,
  work: ReadableWork,
} as const;

/** Tolerant of novelty, strict about damage: an unknown kind is wrapped whole, a broken known one throws. */
export function readBody(value: unknown): EntryBody {
  const kind = (value as { kind?: unknown } | null)?.kind;
  if (typeof kind !== 'string') throw new TypeError('the body has no kind');
  if (!isKnown(kind)) return { kind: 'unknown', was: kind, value: value as UnknownBody['value'] };
  if (kind === 'message' && isPlainMessage(value as Message)) return value as Message;
  if (kind === 'compaction' && isPlainCompaction(value as Compaction)) return value as Compaction;
  const result = READABLE_BODIES[kind].safeParse(value);
  if (!result.success) throw new TypeError(`${kind}: ${z.prettifyError(result.error)}`);
  return value as KnownBody;
}

/** The stored form of a body: unknown ones leave as they came. */
export function plainBody(body: EntryBody): { readonly kind: string } {
  return body.kind === 'unknown' ? body.value : body;
}

function isKnown(kind: unknown): kind is EntryKind {
  return typeof kind === 'string' && Object.hasOwn(BODIES, kind);
}

function invalid(reason: string, cause?: unknown): ThroughlineError {
  return new ThroughlineError('entry-invalid', `Not appended, the entry is not valid: ${reason}`, { cause });
}

/**
 * Bodies are stored with the version of the format they were written in and never rewritten. Reading lifts them, one
 * function per version; each old version has a frozen fixture in test/fixtures/format.
 */
export const FORMAT_VERSION = 1;

export type Lift = (body: { readonly kind: string }) => { readonly kind: string };

/** `LIFTS[n]` turns a body of version n into one of version n + 1. */
export const LIFTS: Readonly<Record<number, Lift>> = {};

export function liftBody(
  body: { readonly kind: string },
  from: number,
  { lifts = LIFTS, to = FORMAT_VERSION }: { lifts?: Readonly<Record<number, Lift>>; to?: number } = {},
): { readonly kind: string } {
  let lifted = body;
  for (let version = from; version < to; version++) {
    const lift = lifts[version];
    if (!lift) throw new TypeError(`no way to lift format version ${version} to ${version + 1}`);
    lifted = lift(lifted);
  }
  return lifted;
}

// Most bodies are plain messages, and the first thing read of a shortened session is a plain compaction. Those need no schema
// to be known as sound: compiling one takes a process longer than opening the session. Other bodies go to the schema, so
// these may only say yes where the schema does.

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

interface Bodied {
  readonly body: EntryBody;
}

/** True for a user message that begins a turn. A message that was handed in to a running turn belongs to that turn. */
export function isQuestion({ body }: Bodied): boolean {
  return body.kind === 'message' && body.role === 'user' && steeredTurn({ body }) === undefined;
}

/** The id of the turn that a message was handed in to. */
export function steeredTurn({ body }: Bodied): string | undefined {
  if (body.kind !== 'message' || body.role !== 'user') return undefined;
  const { steers } = (body.meta?.run ?? {}) as { steers?: unknown };
  return typeof steers === 'string' ? steers : undefined;
}

/**
 * System messages before anything else was said: the instructions that a conversation began with. `entries` in the order
 * of the conversation. What a session before this one handed on is not said in this one, so it may come first.
 */
export function standingInstructions<Entry extends Bodied>(entries: readonly Entry[]): Entry[] {
  const end = entries.findIndex((entry) => !isSystem(entry) && entry.body.kind !== 'restoration');
  return (end < 0 ? entries : entries.slice(0, end)).filter(isSystem);
}

function isSystem({ body }: Bodied): boolean {
  return body.kind === 'message' && body.role === 'system';
}
