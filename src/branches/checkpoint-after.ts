import { digestEntries, foldNotes, onlyNew, saidEntries } from '../compaction/index.ts';
import {
  type Entry,
  type EntryId,
  isHidden,
  type Seq,
  type SessionInfo,
  type Summary,
} from '../record/index.ts';
import { infoAt, readConversation } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { type Checkpoint, EMPTY_CHECKPOINT } from '../summary/index.ts';
import type { Leg, Moment } from './find-base.ts';

// A branch need not be compacted to be compared: what no summary covers yet is digested on the way, and nothing of that is
// written. Each side is the base plus newer messages, so an untouched line of the base is word for word the same on both
// sides.

/** The whole state of the work at a moment, from the beginning of its log. */
export async function checkpointWhole(
  store: Store,
  { info, seq }: { info: SessionInfo; seq: number },
): Promise<Checkpoint> {
  return goAlong(store, [{ info, after: 0, upTo: seq }], { from: EMPTY_CHECKPOINT });
}

/** The state of the work after some legs of a story, from the state at the moment they begin. */
export async function checkpointAfter(
  store: Store,
  legs: readonly Leg[],
  { base, moment }: { base: Checkpoint; moment: Moment },
): Promise<Checkpoint> {
  return goAlong(store, legs, { from: base, knows: createMemory(store, base, moment) });
}

type Knows = (ids: readonly EntryId[]) => Promise<ReadonlySet<EntryId>>;

async function goAlong(
  store: Store,
  legs: readonly Leg[],
  { from, knows }: { from: Checkpoint; knows?: Knows },
): Promise<Checkpoint> {
  let state = from;
  for (const leg of legs) {
    const { info, after, upTo } = leg;
    const unwritten = await digestBare(store, leg);
    state = await foldNotes(store, info, {
      after,
      at: upTo,
      base: state,
      unwritten,
      ...(knows && { knows }),
    });
  }
  return state;
}

/** Which entries lie before a moment: those of its log, and those that its checkpoint names from logs before it. */
function createMemory(store: Store, base: Checkpoint, { session, seq }: Moment): Knows {
  const { files, ...lists } = base;
  const named = new Set([...Object.values(lists).flat(), ...files].flatMap(({ from = [] }) => from));
  return async (ids) => {
    const known = new Set<EntryId>();
    for (const id of ids) {
      if (named.has(id) || ((await store.entry(session, id))?.seq ?? Number.POSITIVE_INFINITY) <= seq)
        known.add(id);
    }
    return known;
  };
}

const LEAST_TOKENS = 400;
const MOST_TOKENS = 2_000;

/** What the messages of a leg say that no compaction covers, one digest for each run of them between two merges. */
async function digestBare(
  store: Store,
  { info, after, upTo }: Leg,
): Promise<{ place: Seq; summary: Summary }[]> {
  const then = await infoAt(store, info, upTo);
  const state = { ...then.state, expanded: [] };
  const { frontier } = await readConversation(store, { ...then, state });
  const bare = saidEntries(
    frontier.filter((entry) => entry.body.kind === 'message' && !isHidden(state, entry)),
  );
  const merges = (state.merges ?? []).filter((seq) => seq > after && seq < upTo);
  const ends = [...merges, upTo];
  return ends.flatMap((end, index) => {
    const start = ends[index - 1] ?? after;
    const run = bare.filter(({ seq }) => seq > start && seq <= end);
    return run.length > 0 ? [{ place: run.at(-1)!.seq, summary: digestRun(run, bare) }] : [];
  });
}

/** Begins with the turn that the run begins in: an answer means little without its question. */
function digestRun(run: readonly Entry[], bare: readonly Entry[]): Summary {
  const start = run[0]!.seq;
  const earlier = bare.filter(({ seq }) => seq < start);
  const asked = earlier.findLastIndex(({ body }) => body.kind === 'message' && body.role === 'user');
  const turn = asked < 0 ? [] : earlier.slice(asked);
  const tokens = run.reduce((sum, entry) => sum + entry.tokens, 0);
  const maxTokens = Math.min(MOST_TOKENS, Math.max(LEAST_TOKENS, Math.ceil(tokens / 6)));
  const ids = new Set(run.map(({ id }) => id));
  return onlyNew(digestEntries([...turn, ...run], { maxTokens }), (id) => !ids.has(id));
}
