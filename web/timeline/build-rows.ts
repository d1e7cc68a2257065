import { sameDay } from '../app/say-time.ts';
import { callIdOf, pairTools, saidIn } from './read-parts.ts';
import type { Originals, ShownCompaction, ShownMessage, ToolUse } from './shown.ts';

export type Row = {
  /** Stays the same when more is loaded before or behind it, so that what one reads does not move. */
  readonly key: string;
  readonly depth: number;
  /** Set on the first row of a day. */
  readonly day?: number;
} & (
  | { readonly kind: 'start'; readonly origin: Origin | undefined }
  | { readonly kind: 'live' }
  | { readonly kind: 'message'; readonly message: ShownMessage }
  | { readonly kind: 'tools'; readonly message: ShownMessage; readonly uses: readonly ToolUse[] }
  | { readonly kind: 'card'; readonly compaction: ShownCompaction; readonly open: boolean }
  | { readonly kind: 'earlier' | 'more'; readonly compaction: ShownCompaction }
  | { readonly kind: 'card-end'; readonly compaction: ShownCompaction }
);

/** Where a session came from. */
export interface Origin {
  readonly relation: 'fork' | 'resume';
  readonly parent: string;
}

export interface Shown {
  readonly origin: Origin | undefined;
  /** Without a gap, oldest first. */
  readonly messages: readonly ShownMessage[];
  /** Whether the first of them is the first of all; older entries are not there yet. */
  readonly fromStart: boolean;
  readonly toEnd: boolean;
  readonly compactions: readonly ShownCompaction[];
  /** The cards that are open, and their loaded entries. */
  readonly originals: ReadonlyMap<string, Originals>;
  /** Whether an answer is being written: it comes last. */
  readonly live: boolean;
}

/** The timeline as lines on a screen: every message and card in its place, tool calls put together. Pure. */
export function buildRows(shown: Shown): Row[] {
  const { messages, compactions, originals } = shown;
  const known = new Map(compactions.map((compaction) => [compaction.id, compaction]));
  const loaded = [...messages, ...[...originals.values()].flatMap((part) => part.messages)];
  const results = pairTools(loaded);
  const called = new Set(loaded.flatMap(({ parts }) => parts.flatMap(callIdOf)));
  const rows: Row[] = [];

  function addMessage(message: ShownMessage, depth: number): void {
    const before = rows.at(-1);
    const day = depth === 0 && isNewDay(message.at) ? { day: message.at } : {};
    const { text, uses, strays } = saidIn(message, results, called);
    const key = depth === 0 ? message.id : `${depth}:${message.id}`;
    if (text) rows.push({ kind: 'message', key, depth, message, ...day });
    if (uses.length + strays.length === 0) return;
    const all = [...uses, ...strays];
    if (!text && before?.kind === 'tools' && rows.at(-1) === before)
      rows[rows.length - 1] = { ...before, uses: [...before.uses, ...all] };
    else rows.push({ kind: 'tools', key: `${key}/tools`, depth, message, uses: all, ...(!text && day) });
  }

  // On a page from the middle it is unknown whether its first message began the day.
  let last = shown.fromStart ? undefined : messages[0]?.at;
  function isNewDay(at: number): boolean {
    const isNew = last === undefined || !sameDay(last, at);
    last = at;
    return isNew;
  }

  function addCard(compaction: ShownCompaction, depth: number): void {
    const opened = originals.get(compaction.id);
    const { id } = compaction;
    rows.push({ kind: 'card', key: `card ${id}`, depth, compaction, open: opened !== undefined });
    if (!opened) return;
    if (opened.earlier) rows.push({ kind: 'earlier', key: `earlier ${id}`, depth: depth + 1, compaction });
    addAll(
      opened.messages,
      compaction.children.flatMap((child) => known.get(child) ?? []),
      depth + 1,
    );
    if (opened.more) rows.push({ kind: 'more', key: `more ${id}`, depth: depth + 1, compaction });
    rows.push({ kind: 'card-end', key: `end ${id}`, depth, compaction });
  }

  function addAll(said: readonly ShownMessage[], cards: readonly ShownCompaction[], depth: number): void {
    const waiting = [...cards].sort((a, b) => a.covers.from - b.covers.from);
    for (const message of said) {
      while (waiting[0] && waiting[0].covers.from <= message.seq) addCard(waiting.shift()!, depth);
      addMessage(message, depth);
    }
    for (const card of waiting) addCard(card, depth);
  }

  if (shown.fromStart) rows.push({ kind: 'start', key: 'start', depth: 0, origin: shown.origin });
  addAll(messages, cardsWithin(shown), 0);
  // Tools at the edge may belong to a group that begins on an older page; it comes whole, with that page.
  if (!shown.fromStart && rows.length > 1 && rows[0]?.kind === 'tools') rows.shift();
  if (shown.live && shown.toEnd) rows.push({ kind: 'live', key: 'live', depth: 0 });
  return rows;
}

/** The cards that belong between loaded entries; one beyond its ends comes with the next page. */
function cardsWithin({ messages, fromStart, toEnd, compactions }: Shown): ShownCompaction[] {
  const first = fromStart ? 0 : (messages[0]?.seq ?? Number.POSITIVE_INFINITY);
  const last = toEnd ? Number.POSITIVE_INFINITY : (messages.at(-1)?.seq ?? 0);
  const expanded = compactions.filter(({ status }) => status === 'expanded');
  const within = new Set(expanded.flatMap(({ children }) => children));
  return compactions.filter(
    ({ id, status, covers }) =>
      (status === 'collapsed' || (status === 'expanded' && !within.has(id))) &&
      covers.from >= first &&
      covers.from <= last,
  );
}
