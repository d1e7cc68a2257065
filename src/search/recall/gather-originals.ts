import { cutText, type Recalled } from '../../context/index.ts';
import { isThroughlineError } from '../../errors.ts';
import type { Entry, Markable, Message, Seq, SessionId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { withoutNumber } from '../../text/index.ts';
import { countText } from '../../tokens/index.ts';
import type { Filters, Hit, Recall } from '../recall.ts';
import { asksAbout } from './asks-about.ts';
import { entryText } from './entry-text.ts';
import { newFirst } from './new-first.ts';
import { searchTwice } from './search-twice.ts';

interface GatherOptions {
  readonly filters: Filters;
  /** No more than this, labels included; but always the best hit. */
  readonly maxTokens: number;
  /** What a label takes, about; 6 unless given. */
  readonly labelTokens?: number;
  readonly redact: (text: string) => string;
  /** In which session's log an entry of `owner` is read; `undefined`: not at all. */
  readonly seenIn: (owner: SessionId) => SessionId | undefined;
  /** Whether an entry may be shown. */
  readonly isOpen: (session: SessionId, entry: Markable) => boolean | Promise<boolean>;
  /** Nothing for small talk, nor for what nothing that was said is about. */
  readonly floor?: boolean;
  /** Texts that need not be shown again. */
  readonly known?: readonly string[];
}

/** An original, and in which session's log it was read. */
type Gathered = Recalled & { readonly session: SessionId; readonly at: number };

/** A longer message is shown by the part of it that fits the question. */
const WHOLE_TOKENS = 300;
const SNIPPET_LENGTH = 800;
const NEIGHBOUR_TOKENS = 100;
const LABEL_TOKENS = 6;
const SHORTEST = 12;
const MOST_HITS = 100;

/**
 * Originals for a question, best first: the best hit, the messages right before and after it, then the other hits. An answer
 * seldom repeats the words of its question; but around every hit the neighbours would take the room of better ones, and the
 * search has already lifted those that deserve it.
 */
export async function gatherOriginals(
  store: Store,
  recall: Recall,
  question: string,
  {
    filters,
    maxTokens,
    labelTokens = LABEL_TOKENS,
    redact,
    seenIn,
    isOpen,
    floor = false,
    known = [],
  }: GatherOptions,
): Promise<Gathered[]> {
  const query = asQuery(question);
  if (query === '') return [];
  const isOpenHit = ({ session: owner, entry: id, seq }: Hit) => {
    const session = seenIn(owner);
    return session !== undefined && isOpen(session, { id, seq });
  };
  const search = { ...filters, snippetLength: SNIPPET_LENGTH, isOpen: isOpenHit };
  if (floor && !(await asksAbout(recall, query, search))) return [];
  const hits = await searchTwice(recall, query, {
    ...search,
    limit: Math.min(MOST_HITS, Math.ceil(maxTokens / SHORTEST)),
    mark: ['', ''],
  });
  const gathered = new Map<string, Gathered>();
  const texts = new Set(known.map((text) => plain(redact(text))));
  let left = maxTokens;

  async function add(session: SessionId, entry: Entry, shorten: (text: string) => string): Promise<void> {
    const { id, seq, at, body } = entry;
    if (left <= 0 || body.kind !== 'message' || gathered.has(id) || !(await isOpen(session, entry))) return;
    const whole = redact(entryText(entry));
    if (plain(whole) === '' || texts.has(plain(whole))) return;
    const text = shorten(whole);
    const tokens = countText(text) + labelTokens;
    const fits = tokens <= left || gathered.size === 0;
    left = fits ? left - tokens : 0;
    if (!fits) return;
    texts.add(plain(whole));
    gathered.set(id, { session, entry: id, seq, at, role: (body as Message).role, text });
  }

  async function addHit({ session: owner, entry: id, snippet }: Hit): Promise<void> {
    const session = seenIn(owner);
    if (session === undefined || left <= 0) return;
    const entry = await store.entry(session, id);
    // The stored count is of the whole text, also where only its beginning is at hand.
    if (entry) await add(session, entry, (text) => (entry.tokens <= WHOLE_TOKENS ? text : snippet));
  }

  async function addNeighbours({ session: owner, seq }: Hit): Promise<void> {
    const session = seenIn(owner);
    if (session === undefined) return;
    for (const entry of await readNeighbours(store, session, seq))
      await add(
        session,
        entry,
        (text) => cutText(text, { maxTokens: NEIGHBOUR_TOKENS, note: '[…]' }) ?? text,
      );
  }

  const [best, ...others] = newFirst(hits);
  if (best) {
    await addHit(best);
    await addNeighbours(best);
  }
  for (const hit of others) await addHit(hit);
  return [...gathered.values()];
}

/** Quotes and stars are for people who search; in a question they are only how it is written. */
function asQuery(question: string): string {
  return question.replaceAll(/["“”*]/g, ' ').trim();
}

/** Read in the log that one sees, which is not always that of the owner: it may have gone on after the fork. */
async function readNeighbours(store: Store, session: SessionId, seq: Seq): Promise<Entry[]> {
  const only = { limit: 1, only: 'messages' } as const;
  try {
    const before = await store.read(session, { upTo: seq - 1, order: 'newest-first', ...only });
    return [...before, ...(await store.read(session, { after: seq, ...only }))];
  } catch (error) {
    // A damaged entry beside a hit must not make a question fail.
    if (isThroughlineError(error, 'entry-unreadable')) return [];
    throw error;
  }
}

/** The same words are the same text, however they are laid out, and whichever iteration of a loop asks them. */
function plain(text: string): string {
  return withoutNumber(text.trimStart()).replaceAll(/\s+/g, ' ').trim();
}
