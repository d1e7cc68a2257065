import type { EntryId, LedgerItem, SummaryFile, SummaryLine } from '../../record/index.ts';
import {
  type Act,
  announces,
  contentWords,
  intends,
  type LineSection,
  tellsAnything,
  todoKey,
} from '../../text/index.ts';
import { countText } from '../../tokens/index.ts';
import { createSaid, type DigestSaid, type LineOrder, orderFiles, orderLedger } from './order-lines.ts';
import type { Ranking } from './rank-units.ts';
import { DIRECTIVE } from './read-turns.ts';
import type { UnitSource, Units } from './unit-rows.ts';

type Listed = LineSection | 'goal' | 'state';

/** One thing a summary can say; `order` is its place in its section. */
export type DigestItem = {
  readonly text: string;
  readonly from: readonly EntryId[];
  readonly order: number;
} & (
  | {
      readonly section: Listed;
      readonly byUser?: boolean /** A line of a summary, as it stood there. */;
      readonly carried?: boolean;
    }
  | { readonly section: 'files'; readonly file: SummaryFile }
  | { readonly section: 'ledger'; readonly item: LedgerItem }
);

export interface Material {
  /** What no successor can go on without, most important first. */
  readonly head: readonly DigestItem[];
  /** How far the work came, and what older summaries say it was for after its beginning, newest first. */
  readonly shifts: readonly DigestItem[];
  readonly lines: LineOrder;
  /** Of a chat: facts from the person that the agent took note of, and lines of older summaries. */
  readonly firm: LineOrder;
  /** Sentences that stand in a list, by their keys: they are not said as facts too. */
  readonly listed: ReadonlySet<string>;
  /** Sentences that no longer hold: they are not said as facts either. */
  readonly withdrawn: readonly { readonly text: string; readonly from: readonly EntryId[] }[];
  readonly files: readonly SummaryFile[];
  readonly ledger: readonly LedgerItem[];
  readonly rows: {
    readonly units: Units;
    readonly sources: readonly UnitSource[];
    readonly ranking: Ranking;
  };
  /** Where in the conversation an entry stands. */
  readonly placeOf: (from: readonly EntryId[]) => number;
  /** People only chat: rare words tell more than deeds. */
  readonly chat: boolean;
}

interface Queue {
  /** Its share of the room while it has something to say; what it does not use falls to the others. */
  readonly share: number;
  spent: number;
  next(): DigestItem | undefined;
}

/**
 * Everything the summary could say, most important first, until `enough` tokens are listed. A summary is a beginning of
 * this list. The list does not depend on the budget, so a larger budget says all that a smaller one says, and more.
 */
export function rankItems(material: Material, enough: number): DigestItem[] {
  const said = createSaid();
  const { lines, firm, rows } = material;
  const items: DigestItem[] = [];
  let tokens = 0;
  const add = (item: DigestItem): number => {
    const cost = countText(item.text) + 2;
    items.push(item);
    said.add(item.text, item.from);
    if (!OVERVIEW.has(item.section)) for (const order of [lines, firm]) order.cover(contentWords(item.text));
    rows.ranking.cover(rows.units.wordsOf(item.text));
    tokens += cost;
    return cost;
  };
  const stated = new Set<string>();
  for (const item of material.head) {
    const key = `${item.section} ${todoKey(item.text)}`;
    if (!stated.has(key)) add(item);
    stated.add(key);
  }
  const queues = openQueues(material, { said, stated });
  while (tokens < enough && queues.length > 0) {
    const queue = queues.reduce((least, other) =>
      other.spent / other.share < least.spent / least.share ? other : least,
    );
    const item = queue.next();
    if (item) queue.spent += add(item);
    else queues.splice(queues.indexOf(queue), 1);
  }
  return items;
}

/** The lines so far, and the keys of lines that stand in their list. */
interface Stated {
  readonly said: DigestSaid;
  readonly stated: Set<string>;
}

function openQueues(material: Material, { said, stated }: Stated): Queue[] {
  const { files, ledger, chat, shifts } = material;
  const filed = orderFiles(files).map((file): DigestItem => {
    const text = `${file.path} (${file.operations.join(', ')})`;
    return { section: 'files', file, text, from: file.from ?? [], order: files.indexOf(file) };
  });
  const listed = orderLedger(ledger).map((item): DigestItem => {
    const text = `${item.kind}: ${item.text}`;
    return { section: 'ledger', item, text, from: [item.entry], order: ledger.indexOf(item) };
  });
  const isNew = (item: DigestItem) => item.section === 'ledger' && !said.hasName(item.item.text);
  const told = listed.filter((item) => item.section === 'ledger' && TOLD.has(item.item.kind));
  const lines = linesOf(material.lines, material, { said, stated });
  const firm = linesOf(material.firm, material, { said, stated });
  const rows = rowsOf(material, said);
  return [
    ...(chat
      ? [queueOf(firm, { share: 30 }), queueOf(lines, { share: 0.7 }), queueOf(rows, { share: 10 })]
      : [queueOf(concat(lines, rows), { share: 10 })]),
    // Long requests of every summary that is merged would leave no room for the decisions in them.
    queueOf(newGoals(shifts, stated), { share: chat ? 0.1 : 1.5 }),
    queueOf(filed, { share: 1.2 }),
    queueOf(told, { share: 1.2, wanted: isNew }),
  ];
}

/** What says something alone. Names, figures and addresses tell little without their sentence. */
const TOLD = new Set(['command', 'error']);

function* concat(...lists: Iterable<DigestItem>[]): Generator<DigestItem> {
  for (const list of lists) yield* list;
}

function queueOf(
  items: Iterable<DigestItem>,
  { share, wanted = () => true }: { share: number; wanted?: (item: DigestItem) => boolean },
): Queue {
  const iterator = Iterator.from(items);
  return {
    share,
    spent: 0,
    next: () => {
      for (let step = iterator.next(); !step.done; step = iterator.next()) {
        if (wanted(step.value)) return step.value;
      }
      return undefined;
    },
  };
}

function* newGoals(shifts: readonly DigestItem[], stated: Set<string>): Generator<DigestItem> {
  for (const item of shifts) {
    const key = `${item.section} ${todoKey(item.text)}`;
    if (!stated.has(key)) yield item;
    stated.add(key);
  }
}

/** What these say stands in its list as well. */
const OVERVIEW = new Set<DigestItem['section']>(['files', 'ledger', 'goal', 'state']);
/**
 * A rule, a result, a decision that was named as such, and what stood in the list of an older summary: they stand in their list,
 * also when the goal or the state says them, because older goals go.
 */
const ALWAYS_LISTED = new Set<Act>(['strict', 'told', 'done', 'carried']);

function* linesOf(
  lines: LineOrder,
  { placeOf }: Pick<Material, 'placeOf'>,
  { said, stated }: Stated,
): Generator<DigestItem> {
  for (let line = lines.next(); line; line = lines.next()) {
    const { text, from, section, by, act, at = 0 } = line;
    const key = `${section} ${line.key}`;
    const isNamed = ALWAYS_LISTED.has(act) && section !== 'facts';
    if (stated.has(key) || (!isNamed && said.hasSentence(text, from))) continue;
    stated.add(key);
    yield {
      section,
      text,
      from,
      order: placeOf(from) + at / 1000,
      byUser: by === 'user',
      carried: act === 'carried',
    };
  }
}

/** Sentences by their rare words. They fill the room behind the lines of decisions, results and open points. */
function* rowsOf(
  { rows: { units, sources, ranking }, placeOf, listed, withdrawn, chat }: Material,
  said: DigestSaid,
): Generator<DigestItem> {
  const seen = new Set<string>();
  const gone = createGone(withdrawn);
  // What an agent was about to do tells less than what came of it.
  const last: DigestItem[] = [];
  for (let row = ranking.next(); row >= 0; row = ranking.next()) {
    const { text: source, from, by } = sources[units.source[row]!]!;
    const text = source.slice(units.start[row], units.end[row]).replace(/\s+/g, ' ').trim();
    const key = todoKey(text);
    if (!/\p{L}{2}/u.test(text) && !/\p{Lo}/u.test(text)) continue;
    if (by === 'assistant' && (announces(text) || DIRECTIVE.test(text) || isWord(text))) continue;
    if (by === 'tool' ? RECORD.test(text) : !tellsAnything(text)) continue;
    if (seen.has(key) || listed.has(key) || said.hasSentence(text, from) || gone(key, from)) continue;
    seen.add(key);
    const item: DigestItem = {
      section: 'facts',
      text,
      from,
      order: placeOf(from) + row / units.count / 2,
      byUser: by === 'user',
    };
    if (!chat && by === 'assistant' && (intends(text) || LEADS_ON.test(text))) last.push(item);
    else yield item;
  }
  yield* last;
}

/** The lines behind it are there already, or were left out as less telling. */
const LEADS_ON = /[:：][*_]*$/;

/** "Searching.", "Done.": one word alone. */
function isWord(text: string): boolean {
  return !/\s/.test(text) && !SPACELESS.test(text) && !/\p{N}/u.test(text);
}

/** A field of a record that a tool printed. */
const RECORD = /^["'{[<]/;

/** Shorter ones are parts of other sentences by chance; a script without spaces says more with fewer signs. */
const SHORTEST_GONE = 12;
const SHORTEST_SPACELESS = 5;
const SPACELESS = /\p{Lo}/u;

/** Whether a sentence of an entry is one of those that no longer hold, or has one in it. */
function createGone(withdrawn: Material['withdrawn']): (key: string, from: readonly EntryId[]) => boolean {
  const byEntry = new Map<EntryId, string[]>();
  for (const { text, from } of withdrawn) {
    const key = todoKey(text);
    if (key.length < (SPACELESS.test(key) ? SHORTEST_SPACELESS : SHORTEST_GONE)) continue;
    for (const id of from) byEntry.set(id, [...(byEntry.get(id) ?? []), key]);
  }
  return (key, from) =>
    from.some((id) => byEntry.get(id)?.some((gone) => key.includes(gone) || gone.includes(key)));
}

export function listedItems(
  section: Listed,
  lines: readonly SummaryLine[],
  placeOf: Material['placeOf'],
): DigestItem[] {
  return lines.map(({ text, from }, at) => ({ section, text, from, order: placeOf(from) + at / 1000 }));
}
