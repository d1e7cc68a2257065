import { z } from 'zod';
import { type Entry, type SeqRange, type SessionId, type SessionInfo, Target } from '../../record/index.ts';
import { markEntries as mark, openSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';

const Range = z.strictObject({ from: z.int(), to: z.int() });

export const markEntriesOperation = operation({
  name: 'session/mark',
  summary:
    'Pins entries or ranges of them (they stay in the context word for word), excludes them from it, or takes that back; lists the marks.',
  writes: true,
  fails: ['entry-not-found'],
  params: z.strictObject({
    sessionId: SessionField,
    mark: z.enum(['pinned', 'unpinned', 'excluded', 'included']),
    targets: z
      .union([z.array(Target).max(500), z.literal('last-turn')])
      .describe(
        'Without any the marks are only listed. `last-turn`: the newest question and everything behind it.',
      ),
  }),
  result: z.strictObject({
    session: z.string(),
    pinned: z.array(Target),
    excluded: z.array(Target),
    hidden: z.array(Range).describe('Both pinned and excluded, so the model does not see them.'),
    undone: z.int().describe('Summaries that are undone with it, because they say what is to be left out.'),
  }),
  faces: {
    help: { pin: 'Keep entries in the context word for word, through every compaction.' },
    cli: { pin: 'result' },
  },
  async run({ sessionId, mark: name, targets: asked }, { store, find }) {
    const info = await find(sessionId);
    const { id } = info;
    const targets = asked === 'last-turn' ? [await lastTurn(store, info)] : asked;
    await using session = await openSession(store, id, { mode: 'join' });
    if (name === 'pinned' || name === 'excluded')
      for (const target of targets) await checkSent(store, id, target);
    const marks = targets.length > 0 ? await mark(session, name, targets) : [];
    const { pinned, excluded } = (await session.refresh()).state;
    return {
      session: id,
      pinned: [...pinned],
      excluded: [...excluded],
      hidden: await overlaps(store, id, { pinned, excluded }),
      undone: marks.filter(({ body }) => body.kind === 'mark' && body.mark === 'removed').length,
    };
  },
});

/** Messages that are looked through for the newest question. */
const LOOKED_AT = 200;

async function lastTurn(store: Store, { id, head }: SessionInfo): Promise<SeqRange> {
  const newest = await store.read(id, { only: 'messages', after: Math.max(0, head - LOOKED_AT) });
  const asked = newest.findLast(({ body }) => body.kind === 'message' && body.role === 'user');
  if (!asked) throw refused('usage', 'Nothing was said yet that could be pinned.');
  return { from: asked.seq, to: newest.at(-1)!.seq };
}

const SENT: ReadonlySet<Entry['body']['kind']> = new Set(['message', 'compaction', 'merge', 'restoration']);

/** A mark on an entry that is never sent would do nothing. Entries that do not exist are refused where marks are made. */
async function checkSent(store: Store, id: SessionId, target: Target): Promise<void> {
  const entries = await entriesAt(store, id, target);
  if (entries.length === 0 || entries.some(({ body }) => SENT.has(body.kind))) return;
  const [only] = entries;
  const which = 'entry' in target ? target.entry : `entries ${target.from}–${target.to}`;
  const what =
    entries.length === 1 ? `Entry ${only!.seq} is a ${only!.body.kind}` : `No message is in ${which}`;
  throw refused(
    'usage',
    `${what}, and only messages are sent to the model: there is nothing to pin or leave out.`,
  );
}

async function entriesAt(store: Store, id: SessionId, target: Target): Promise<readonly Entry[]> {
  if ('entry' in target) return [await store.entry(id, target.entry)].filter((entry) => entry !== undefined);
  const { from, to } = target;
  const [said] = await store.read(id, { after: from - 1, upTo: to, only: 'messages', limit: 1 });
  return said ? [said] : store.read(id, { after: from - 1, upTo: to });
}

async function overlaps(
  store: Store,
  id: SessionId,
  { pinned, excluded }: { pinned: readonly Target[]; excluded: readonly Target[] },
): Promise<SeqRange[]> {
  const ranges = async (targets: readonly Target[]): Promise<SeqRange[]> => {
    const found = targets.map(async (target) =>
      'entry' in target
        ? (await entriesAt(store, id, target)).map(({ seq }) => ({ from: seq, to: seq }))
        : [target],
    );
    return (await Promise.all(found)).flat();
  };
  const hidden = await ranges(excluded);
  return (await ranges(pinned)).flatMap((pin) =>
    hidden
      .map(({ from, to }) => ({ from: Math.max(from, pin.from), to: Math.min(to, pin.to) }))
      .filter(({ from, to }) => from <= to),
  );
}
