import { z } from 'zod';
import { isThroughlineError } from '../../errors.ts';
import type { Entry, EntryId, Seq, SessionInfo } from '../../record/index.ts';
import { entryAt, getSession } from '../../session/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import { EntryIdField, SeqField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { EntryRecord, toEntryRecord } from '../records/entry-record.ts';
import {
  describedSession,
  SessionDescriptionRecord,
  SessionRecord,
  showSession,
} from '../records/session-record.ts';

const PositionField = z.union([SeqField, EntryIdField]);

/** The fields of the body beside those of the entry; which ones there are depends on the kind. */
const PrintedEntry = z.looseObject({
  id: z.string(),
  seq: z.int(),
  at: z.number(),
  kind: z.string(),
  tokens: z.int(),
});

export const showLog = operation({
  name: 'session/show',
  summary:
    'The entries of a session as they stand in its log, oldest first, a page at a time. Entries before a damaged one come first; the page that starts at it fails.',
  fails: ['entry-not-found', 'entry-unreadable'],
  params: z.strictObject({
    sessionId: SessionField,
    entry: PositionField.optional().describe('Only this entry, by number or id …'),
    around: z.int().min(0).max(1000).default(0).describe('… and so many before and after it.'),
    after: PositionField.optional().describe('Only entries after this one: `next` of a page gives the next.'),
    upTo: PositionField.optional().describe('Only entries up to this one.'),
    limit: z.int().min(1).optional().describe('Only so many, the newest of them.'),
    full: z.boolean().default(false).describe('With large values in place.'),
  }),
  result: z.strictObject({
    session: SessionRecord,
    entries: z.array(EntryRecord),
    older: z.int().describe('Entries that the limit leaves out before the first.'),
    entry: z.int().nullable().describe('The number of the one that was asked for.'),
    upTo: z.int().describe('The last entry of the whole range.'),
    next: z.int().nullable().describe('The last entry of this page; `null` on the last page.'),
  }),
  faces: {
    help: { show: 'Show what was said in a session, and what was noted about it.' },
    cli: {
      show: {
        schema: z.strictObject({
          session: SessionDescriptionRecord.extend({ settings: SessionRecord.shape.settings }),
          entries: z.array(PrintedEntry),
        }),
        of: ({ session, entries }) => ({
          session: { ...describedSession(session), settings: session.settings },
          entries: entries.map(printedEntry),
        }),
      },
    },
  },
  async run({ sessionId, full, ...asked }, app) {
    const { store } = app;
    // Not `app.find`: the log of a project's memory can be looked at too, by its whole id.
    const info = await getSession(store, sessionId);
    const range = await rangeOf(store, info, asked);
    const { entries, next } = await readPage(store, info, range);
    const bodies = full
      ? await Promise.all(entries.map(({ body }) => wholeBody(body, (hash) => store.blob(hash))))
      : entries.map(({ body }) => body);
    return {
      session: await showSession(app, info),
      entries: entries.map((entry, index) => toEntryRecord({ ...entry, body: bodies[index]! })),
      older: range.older,
      entry: range.entry,
      upTo: range.upTo,
      next,
    };
  },
});

interface Asked {
  readonly entry?: Seq | EntryId | undefined;
  readonly around: number;
  readonly after?: Seq | EntryId | undefined;
  readonly upTo?: Seq | EntryId | undefined;
  readonly limit?: number | undefined;
}

interface Range {
  readonly after: Seq;
  readonly upTo: Seq;
  readonly older: number;
  readonly entry: Seq | null;
}

/** Numbers are dense along a lineage, so the newest n of a range are known without reading the older ones. */
async function rangeOf(
  store: Store,
  info: SessionInfo,
  { entry, around, after, upTo, limit = Number.POSITIVE_INFINITY }: Asked,
): Promise<Range> {
  if (entry !== undefined) {
    const { seq } = await entryAt(store, info, entry);
    return {
      after: Math.max(0, seq - 1 - around),
      upTo: Math.min(info.head, seq + around),
      older: 0,
      entry: seq,
    };
  }
  const seqOf = async (position: Seq | EntryId) =>
    typeof position === 'number' ? position : (await entryAt(store, info, position)).seq;
  const start = await seqOf(after ?? 0);
  const end = Math.min(info.head, await seqOf(upTo ?? info.head));
  const first = Math.max(start, end - limit);
  return { after: first, upTo: end, older: first - start, entry: null };
}

const PAGE = 200;

async function readPage(
  store: Store,
  { id }: SessionInfo,
  { after, upTo }: Range,
): Promise<{ entries: readonly Entry[]; next: Seq | null }> {
  if (after >= upTo) return { entries: [], next: null };
  try {
    const entries = await store.read(id, { after, upTo, limit: PAGE });
    const last = entries.at(-1)?.seq ?? upTo;
    return { entries, next: entries.length < PAGE || last >= upTo ? null : last };
  } catch (error) {
    if (!isThroughlineError(error, 'entry-unreadable') || typeof error.details.seq !== 'number') throw error;
    const last = error.details.seq - 1;
    if (last <= after) throw error;
    return { entries: await store.read(id, { after, upTo: last }), next: last };
  }
}

/**
 * Where the body and the entry have a field of one name (a to-do has an `id` too) the body's stands under `body`, so that
 * neither is lost.
 */
function printedEntry({ id, seq, at, tokens, body }: EntryRecord): z.infer<typeof PrintedEntry> {
  const own = { id, seq, at, tokens };
  const { kind, ...fields } = body as { kind: string } & Record<string, unknown>;
  const [taken, free] = [{}, {}] as [Record<string, unknown>, Record<string, unknown>];
  for (const [name, value] of Object.entries(fields)) {
    if (name in own || name === 'body') taken[name] = value;
    else free[name] = value;
  }
  return { id, seq, at, kind, tokens, ...free, ...(Object.keys(taken).length > 0 && { body: taken }) };
}
