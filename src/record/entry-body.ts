import { z } from 'zod';
import { ThroughlineError } from '../errors.ts';
import { Compaction } from './compaction.ts';
import { Document } from './document.ts';
import { Fact, JudgedFact, StatedFact } from './fact.ts';
import { Loop } from './loop.ts';
import { Mark } from './mark.ts';
import { Merge } from './merge.ts';
import { Message } from './message.ts';
import { isPlainCompaction, isPlainMessage, isStrictlyPlainMessage } from './plain-body.ts';
import { Restoration } from './restoration.ts';
import { ReadableRun, Run } from './run.ts';
import { Setting } from './setting.ts';
import { Todo } from './todo.ts';
import { ReadableWork, Work } from './work.ts';

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
  work: Work,
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

export type KnownBody =
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
  | Work;
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

/** What is written down for a body: unknown ones leave as they came. */
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
