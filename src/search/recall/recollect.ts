import { RECALL_TOKENS, type Recalled } from '../../context/index.ts';
import { type Entry, isHidden, type Seq, type SessionInfo } from '../../record/index.ts';
import { infoAt, readFrontier } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { CatchUpOptions, Recall } from '../recall.ts';
import { type CoveredLog, coveredLogs, isOpen } from './covered-logs.ts';
import { entryText } from './entry-text.ts';
import { gatherOriginals } from './gather-originals.ts';

export interface RecollectOptions extends Pick<CatchUpOptions, 'onProgress' | 'signal'> {
  /** Defaults to the newest thing that a user said in the session. */
  readonly question?: string;
  /** As the session was after this entry. */
  readonly at?: Seq;
  /** About as much as is looked up, 2,000 unless given; the context's budget decides on the shown ones. */
  readonly maxTokens?: number;
  /** The rules that the index was made under, for texts that are read from the log. */
  readonly redact?: (text: string) => string;
}

/** A part of the compacted messages is brought back, not most of them. */
const LARGEST_PART = 4;
/** A quarter of a short session is less than a question and its answer. Of a short parent the best hit has to do. */
const SMALLEST = 300;

/**
 * Originals about the newest question, best first, from compacted turns only: nothing that the request holds anyway,
 * nothing that a person took out of it, and nothing at all for small talk. The same store gives the same answer.
 */
export async function recollect(
  store: Store,
  recall: Recall,
  info: SessionInfo,
  {
    question,
    at = info.head,
    maxTokens = RECALL_TOKENS,
    redact = same,
    signal,
    onProgress,
  }: RecollectOptions = {},
): Promise<Recalled[]> {
  if (maxTokens <= 0) return [];
  const then = await infoAt(store, info, at);
  const frontier = await readFrontier(store, then);
  const logs = await coveredLogs(store, then, frontier);
  const asked = question ?? newestQuestion(frontier, then);
  if (logs.length === 0 || asked.trim() === '') return [];
  // No further than to what may be recalled: hits must not depend on whether the question is in the log yet.
  for (const { owners, ranges } of logs) {
    await recall.catchUp({
      sessions: owners,
      upTo: Math.max(...ranges.map(({ to }) => to)),
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    });
  }
  const logOf = (owner: string) => logs.find(({ owners }) => owners.includes(owner));
  const found = await gatherOriginals(store, recall, asked, {
    filters: {
      within: logs.flatMap(({ session, ranges }) => ranges.map((range) => ({ session, ...range }))),
    },
    maxTokens: Math.min(maxTokens, largestPart(logs, info)),
    floor: true,
    redact,
    seenIn: (owner) => logOf(owner)?.session,
    isOpen: (session, entry) => isOpen(logs.find((log) => log.session === session)!, entry),
    known: [asked, ...textsOf(frontier)],
  });
  return found.map(({ session, ...original }) => (session === info.id ? original : { ...original, session }));
}

function newestQuestion(frontier: readonly Entry[], { state }: SessionInfo): string {
  const asked = frontier.findLast(
    (entry) => entry.body.kind === 'message' && entry.body.role === 'user' && !isHidden(state, entry),
  );
  return asked ? entryText(asked) : '';
}

function largestPart(logs: readonly CoveredLog[], { id }: SessionInfo): number {
  const part = logs.reduce((sum, { tokens }) => sum + tokens, 0) / LARGEST_PART;
  return logs.some(({ session }) => session === id) ? Math.max(SMALLEST, part) : part;
}

function textsOf(frontier: readonly Entry[]): string[] {
  return frontier.flatMap((entry) => (entry.body.kind === 'message' ? [entryText(entry)] : []));
}

function same(text: string): string {
  return text;
}
