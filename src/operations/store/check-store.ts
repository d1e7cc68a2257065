import { statSync } from 'node:fs';
import { z } from 'zod';
import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import { STORED_PLACES } from '../../record/index.ts';
import { openStore, type Store, storeExists } from '../../store/index.ts';
import type { Machine } from '../app.ts';
import { StoreFileField } from '../fields.ts';
import { operation, partOf, type Request } from '../operation.ts';

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
