import {
  CheckpointList,
  CLOSING_SUMMARY,
  closingSummaryIn,
  isMarked,
  type Seq,
  type SessionInfo,
  type Summary,
  standingInstructions,
} from '../record/index.ts';
import { type Store, wholeBody } from '../store/index.ts';
import { readCompaction } from './read-conversation.ts';

/**
 * The state a session ended in, if it says so: the summary that it was left with, or a compaction that covers everything, as
 * long as nothing was said since; for a resumed session without a message the summary that it started from.
 */
export async function readClosingSummary(store: Store, info: SessionInfo): Promise<Summary | undefined> {
  const found =
    (await leftWith(store, info)) ?? (await coveringAll(store, info)) ?? (await startedFrom(store, info));
  return found && withMerges(store, info, found);
}

interface Found {
  readonly summary: Summary;
  /** It is about everything up to here. */
  readonly after: Seq;
}

async function leftWith(store: Store, { id, state }: SessionInfo): Promise<Found | undefined> {
  const seq = state.documents[CLOSING_SUMMARY];
  if (seq === undefined) return undefined;
  const [entry] = await store.read(id, { after: seq - 1, upTo: seq });
  const closing = entry && closingSummaryIn(await wholeBody(entry.body, (hash) => store.blob(hash)));
  if (!closing) return undefined;
  const { summary, upTo: after = seq } = closing;
  const later = await store.read(id, { after, only: 'messages', limit: 1 });
  return later.length === 0 ? { summary, after } : undefined;
}

async function startedFrom(store: Store, { id, state, totals }: SessionInfo): Promise<Found | undefined> {
  const seq = state.restoration;
  if (seq === undefined || totals.messages > 0) return undefined;
  const [entry] = await store.read(id, { after: seq - 1, upTo: seq });
  const body = entry && (await wholeBody(entry.body, (hash) => store.blob(hash)));
  return body?.kind === 'restoration' ? { summary: body.summary, after: seq } : undefined;
}

/** No conversation begins with more. */
const MOST_INSTRUCTIONS = 20;

async function coveringAll(store: Store, { id, state }: SessionInfo): Promise<Found | undefined> {
  const [root, another] = state.roots;
  if (!root || another || isMarked(state.removed, root)) return undefined;
  const before = await store.read(id, { upTo: root.from - 1, only: 'messages', limit: MOST_INSTRUCTIONS });
  const unsaid = standingInstructions(before);
  const after = await store.read(id, { after: root.to, only: 'messages', limit: 1 });
  if (before.length > unsaid.length || after.length > 0) return undefined;
  const { summary } = (await readCompaction(store, id, root)).body;
  return { summary, after: root.to };
}

/** Together with what branches brought home since the summary was made: that was not said, so no summary covers it yet. */
async function withMerges(
  store: Store,
  { id, state }: SessionInfo,
  { summary, after }: Found,
): Promise<Summary> {
  let whole = summary;
  for (const seq of (state.merges ?? []).filter((each) => each > after)) {
    const [entry] = await store.read(id, { after: seq - 1, upTo: seq });
    if (entry?.body.kind !== 'merge')
      throw new Error(`bug: entry ${seq} of session "${id}" should be a merge`);
    const { summary: brought, dropped } = entry.body;
    if (isMarked(state.removed, entry)) continue;
    const lists = CheckpointList.options.map((list) => {
      const gone = dropped.flatMap((line) => (line.list === list ? [line.text] : []));
      return [list, [...whole[list].filter(({ text }) => !gone.includes(text)), ...brought[list]]];
    });
    whole = { ...whole, ...Object.fromEntries(lists), files: [...whole.files, ...brought.files] };
  }
  return whole;
}
