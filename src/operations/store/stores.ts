import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import { type SessionId, STORED_PLACES } from '../../record/index.ts';
import { mirrorFile } from '../../session/index.ts';
import { openStore, type Store, storeExists } from '../../store/index.ts';
import type { Agreeing, App, Machine } from '../app.ts';
import { SessionField, StoreFileField } from '../fields.ts';
import { operation, partOf, type Request } from '../operation.ts';
import { refused } from '../refused.ts';
import { SecretFields, secretFinder } from '../secret-fields.ts';

const Problem = z.strictObject({
  code: z.enum([
    'entry-unreadable',
    'seq-gap',
    'blob-missing',
    'blob-damaged',
    'projection-differs',
    'file-damaged',
  ]),
  message: z.string(),
  session: z.string().optional(),
  entry: z.string().optional(),
});

const Checkup = z.strictObject({
  location: z.string(),
  bytes: z.int().describe('The file and the log beside it.'),
  sound: z.boolean().describe('Every entry is readable, and lists show every session.'),
  stored: z.int().describe('Sessions that have a log.'),
  listed: z.int().describe('Sessions that lists show.'),
  places: z
    .strictObject({ active: z.int(), archived: z.int(), trashed: z.int(), memory: z.int() })
    .optional()
    .describe(
      'The listed ones by place: conversations, hidden ones, the trash, and the logs of projects and boards. Only of a sound store.',
    ),
  entries: z.int(),
  blobs: z.int(),
  problems: z.array(Problem).readonly(),
  rebuilt: z
    .strictObject({ sessions: z.int(), changed: z.array(z.string()).readonly() })
    .optional()
    .describe('Only after a rebuild; `changed` are the sessions whose line in the list was wrong.'),
});
type Checkup = z.output<typeof Checkup>;

export const checkStore = operation({
  name: 'store/check',
  summary: 'Read everything that is stored once and say whether it is sound. Changes nothing by itself.',
  fails: ['store-damaged', 'store-foreign'],
  params: z.strictObject({
    location: StoreFileField,
    rebuild: z.boolean().default(false).describe('Make what lists show anew from the logs first.'),
  }),
  result: Checkup,
  faces: { cli: { doctor: 'result' } },
  run: ({ location, rebuild }, _: Machine, request) =>
    storeExists(location) ? examine(location, { rebuild }, request) : nothingYet(location),
});

async function examine(
  location: string,
  { rebuild }: { rebuild: boolean },
  request: Request,
): Promise<Checkup> {
  try {
    await using store = await openStore(location, { readOnly: !rebuild });
    const rebuilt = rebuild && (await store.rebuild(partOf(request, 'rebuild')));
    const report = await store.verify(partOf(request, 'check'));
    const sound = report.problems.length === 0 && report.stored === report.listed;
    const places = sound ? { places: await countPlaces(store) } : {};
    return { location, bytes: sizeOf(location), sound, ...report, ...places, ...(rebuilt && { rebuilt }) };
  } catch (error) {
    throw beyondChecking(error, location);
  }
}

const PAGE = 500;

async function countPlaces(store: Store): Promise<NonNullable<Checkup['places']>> {
  const counts = { active: 0, archived: 0, trashed: 0, memory: 0 };
  for (const place of STORED_PLACES)
    for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
      const page = await store.list({ place, limit: PAGE, ...(cursor !== undefined && { cursor }) });
      counts[place] += page.sessions.length;
      cursor = page.cursor;
    }
  return counts;
}

/** The error for a store that is too damaged to be read to its end, or to be opened at all: the rest can be salvaged. */
function beyondChecking(error: unknown, location: string): unknown {
  // An emptied file says itself what can be done.
  if (isThroughlineError(error, 'store-damaged') && error.details.mend !== undefined) return error;
  const damaged = isThroughlineError(error, 'store-damaged') || isDamage(error);
  if (!damaged && !isThroughlineError(error, 'store-foreign')) return error;
  const what = damaged
    ? `The store ${location} is damaged and cannot be read to its end (${reasonOf(error as Error)}).`
    : `${location} is not a Throughline store, or its start is damaged.`;
  return new ThroughlineError(damaged ? 'store-damaged' : 'store-foreign', `${what} Nothing was changed.`, {
    cause: error,
    details: { location, mend: 'salvage' },
  });
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

/** SQLite gave up, or a row does not hold the JSON that was written into it. */
function isDamage(error: unknown): boolean {
  return error instanceof SyntaxError || (error as { code?: unknown } | null)?.code === 'ERR_SQLITE_ERROR';
}

function nothingYet(location: string): Checkup {
  return { location, bytes: 0, sound: true, stored: 0, listed: 0, entries: 0, blobs: 0, problems: [] };
}

function sizeOf(location: string): number {
  return [location, `${location}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

const Unreadable = z.strictObject({
  session: z.string().optional(),
  seq: z.int().optional(),
  upTo: z
    .int()
    .optional()
    .describe('The last of several entries in a row that were lost for the same reason.'),
  reason: z.string(),
});

export const salvageStoreOperation = operation({
  name: 'store/salvage',
  summary:
    'Save what can be read of a damaged store into a new file. The damaged one is only read, and stays as it is.',
  writes: true,
  params: z.strictObject({
    location: StoreFileField,
    target: z.string().min(1).optional().describe('The new file; beside the damaged one unless given.'),
  }),
  result: z.strictObject({
    source: z.string(),
    target: z.string(),
    whole: z.boolean().describe('Nothing was lost.'),
    sessions: z.int(),
    entries: z.int(),
    blobs: z.int(),
    unreadable: z.array(Unreadable),
    bytesLost: z.int().describe('Pages that held only an index are among them.'),
  }),
  faces: { cli: { 'doctor --salvage': 'result' } },
  async run({ location, target: wanted = besides(location) }, _: Machine, { onProgress }) {
    if (!storeExists(location))
      throw refused('usage', `There is no store at ${location}, so there is nothing to salvage.`);
    const target = path.resolve(wanted);
    const { salvageStore: salvage } = await import('../../store/sqlite/index.ts');
    const report = await salvage(location, target, { ...(onProgress && { onProgress }) });
    // Lost bytes alone are no loss: an index is made anew from what it pointed to.
    return { source: location, target, whole: report.unreadable.length === 0, ...report };
  },
});

function besides(location: string): string {
  const { dir, name, ext } = path.parse(location);
  return path.join(dir, `${name}-salvaged${ext || '.db'}`);
}

const Found = z.strictObject({
  sessions: z
    .array(z.strictObject({ id: z.string(), entries: z.int() }))
    .readonly()
    .describe('Sessions of which entries were changed, or would be.'),
  shared: z
    .array(z.string())
    .readonly()
    .describe('Other sessions that a named fork shares an entry with a secret with: scrub them too.'),
  busy: z
    .array(z.string())
    .readonly()
    .describe('Sessions that another program writes in: left as they were.'),
  secrets: z.int().describe('Different ones.'),
  named: z
    .array(z.string())
    .readonly()
    .describe('Sessions with a secret in the id, which cannot be changed.'),
});
type Found = z.output<typeof Found>;

export const scrubStoreOperation = operation({
  name: 'store/scrub',
  summary:
    'Take secrets out of sessions for good: out of the log, what projects know, the search index and transcripts.',
  writes: true,
  params: z.strictObject({
    sessions: z.array(SessionField).min(1).optional().describe('Everything in the store unless given.'),
    ...SecretFields,
    dryRun: z.boolean().default(false).describe('Only look.'),
  }),
  result: z.strictObject({ dryRun: z.boolean(), ...Found.shape }),
  faces: { cli: { scrub: 'result' } },
  async run(
    { sessions, dryRun, ...secrets },
    { store, agree }: Machine & Pick<App, 'store'> & Agreeing<Found>,
    request,
  ) {
    const { scrubStore: scrub } = await import('../../transcripts/scrub/index.ts');
    const find = await secretFinder(secrets);
    const options = { find, ...(sessions && { sessions }) };
    const found = await scrub(store, { ...options, dryRun: true, ...partOf(request, 'look') });
    if (dryRun || found.sessions.length === 0) return { dryRun, ...found };
    await agree?.(found);
    const ids = found.sessions.map(({ id }) => id);
    const { forgetInIndexes } = await import('../../search/index.ts');
    // Before and after: once the logs are clean, a stop in between would look like a clean index.
    await forgetInIndexes(store, ids, partOf(request, 'index'));
    const scrubbed = await scrub(store, { ...options, dryRun: false, ...partOf(request, 'scrub') });
    await forgetInIndexes(store, ids, partOf(request, 'index'));
    await writeMirrors(store, ids);
    return { dryRun, ...scrubbed };
  },
});

/** The transcripts beside the store, where there are any. */
async function writeMirrors(store: Store, ids: readonly SessionId[]): Promise<void> {
  const { location } = store.facts;
  const { writeMirror } = await import('../../transcripts/index.ts');
  for (const id of ids) {
    const info = existsSync(mirrorFile(location, id)) ? await store.session(id) : undefined;
    if (info) await writeMirror(store, info, { location });
  }
}
