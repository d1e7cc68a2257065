import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import {
  type Entry,
  type EntryId,
  isHidden,
  type Seq,
  type SessionId,
  type SessionInfo,
} from '../../record/index.ts';
import { entryAt } from '../../session/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import { countText } from '../../tokens/index.ts';
import { entryText } from './entry-text.ts';

interface ReadOriginalsOptions {
  /** By number or by id; without it the newest message. */
  readonly entry?: Seq | EntryId;
  /** How many messages before and after it to read as well; beside the newest, ten unless given. */
  readonly around?: number;
  /** Of all texts together, with room for their labels. */
  readonly maxTokens: number;
  /** Where in the text of the entry to begin, in characters. */
  readonly offset?: number;
  readonly redact?: (text: string) => string;
}

export interface RecalledOriginal {
  readonly session: SessionId;
  readonly entry: EntryId;
  readonly seq: Seq;
  readonly at: number;
  /** Who said it; the kind of the entry if it has no author. */
  readonly role: string;
  readonly text: string;
  /** Of the whole text, in characters. */
  readonly length: number;
  /** Where to read on, if `text` is not all. */
  readonly nextOffset?: number;
}

export interface Originals {
  /** In the order of the log. */
  readonly entries: readonly RecalledOriginal[];
  /** Of those around it, how many there was no room for. */
  readonly leftOut: number;
}

/** The frame of the texts, with the label of the first, and what each further label takes; about the most. */
const FRAME_TOKENS = 80;
const LABEL_TOKENS = 40;

/**
 * An entry as it was written, with the messages around it, in so many tokens at most. The entry itself has the first
 * claim to the room, then the nearest. What people excluded or removed is not read out.
 */
export async function readOriginals(
  store: Store,
  info: SessionInfo,
  {
    entry: asked,
    around = asked === undefined ? 10 : 0,
    maxTokens,
    offset = 0,
    redact = same,
  }: ReadOriginalsOptions,
): Promise<Originals> {
  const entry = asked === undefined ? await newestOf(store, info) : await entryAt(store, info, asked);
  if (!entry) return { entries: [], leftOut: 0 };
  if (isHidden(info.state, entry)) throw hidden(info, entry);
  const whole = redact(await textOf(store, entry));
  const first = original(info, entry, {
    text: whole,
    ...sliceOf(whole, { offset, maxTokens: Math.max(1, maxTokens - FRAME_TOKENS) }),
  });
  const read = [first];
  let left = maxTokens - FRAME_TOKENS - countText(first.text);
  let leftOut = 0;
  for (const other of await readAround(store, info, entry.seq, around)) {
    const text = redact(await textOf(store, other));
    const tokens =
      text.length > left * LONGEST_TOKEN ? Number.POSITIVE_INFINITY : countText(text) + LABEL_TOKENS;
    if (tokens > left) leftOut++;
    else {
      read.push(original(info, other, { text, from: 0, to: text.length }));
      left -= tokens;
    }
  }
  return { entries: read.sort((a, b) => a.seq - b.seq), leftOut };
}

/** The newest message that may be shown, if there is any. */
async function newestOf(store: Store, { id, head, state }: SessionInfo): Promise<Entry | undefined> {
  const range = { limit: 100, only: 'messages', order: 'newest-first' } as const;
  for (let upTo = head; ; ) {
    const page = await store.read(id, { upTo, ...range });
    const open = page.find((entry) => !isHidden(state, entry));
    if (open || page.length < range.limit) return open;
    upTo = page.at(-1)!.seq - 1;
  }
}

/** The nearest first: one before, one after, and so on outwards. */
async function readAround(
  store: Store,
  { id, state }: SessionInfo,
  seq: Seq,
  limit: number,
): Promise<Entry[]> {
  if (limit <= 0) return [];
  const before = await store.read(id, { upTo: seq - 1, limit, only: 'messages', order: 'newest-first' });
  const after = await store.read(id, { after: seq, limit, only: 'messages' });
  const nearest = Array.from({ length: limit }, (_, index) => [before[index], after[index]]).flat();
  return nearest.filter((entry) => entry !== undefined && !isHidden(state, entry)) as Entry[];
}

async function textOf(store: Store, entry: Entry): Promise<string> {
  try {
    return entryText({ ...entry, body: await wholeBody(entry.body, (hash) => store.blob(hash)) });
  } catch (error) {
    // Better the preview than nothing.
    if (isThroughlineError(error, 'blob-missing') || isThroughlineError(error, 'blob-damaged'))
      return entryText(entry);
    throw error;
  }
}

function original(
  { id }: SessionInfo,
  { id: entry, seq, at, body }: Entry,
  { text, from, to }: { text: string; from: number; to: number },
): RecalledOriginal {
  return {
    session: id,
    entry,
    seq,
    at,
    role: body.kind === 'message' ? (body.role as string) : body.kind,
    text: text.slice(from, to).toWellFormed(),
    length: text.length,
    ...(to < text.length && { nextOffset: to }),
  };
}

/** Hardly any text has more characters a token. */
const LONGEST_TOKEN = 16;

/** As much of the text from `offset` on as fits; at least a character, so that reading on gets somewhere. */
function sliceOf(
  text: string,
  { offset, maxTokens }: { offset: number; maxTokens: number },
): { from: number; to: number } {
  const from = pointAt(text, Math.min(offset, text.length));
  for (let length = maxTokens * LONGEST_TOKEN; ; ) {
    const to = pointAt(text, Math.min(from + length, text.length));
    const tokens = countText(text.slice(from, to));
    if (tokens <= maxTokens || length <= 2) return { from, to };
    length = Math.max(2, Math.min(length - 1, Math.floor((length * maxTokens * 0.98) / tokens)));
  }
}

/** Never inside a surrogate pair: back to where the character begins. */
function pointAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

function hidden({ id }: SessionInfo, { seq }: Entry): ThroughlineError {
  return new ThroughlineError(
    'entry-not-found',
    `Entry ${seq} of session "${id}" was taken out of the conversation by its owner, so it is not read out.`,
    { details: { session: id, entry: seq } },
  );
}

function same(text: string): string {
  return text;
}
