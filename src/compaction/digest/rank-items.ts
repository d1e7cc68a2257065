import type { EntryId, LedgerItem, SummaryFile, SummaryLine } from '../../record/index.ts';
import { countText } from '../../tokens/index.ts';
import { todoKey } from '../ledger/index.ts';
import { orderFiles, orderLedger } from './order-ledger.ts';
import type { Ranking } from './rank-units.ts';
import type { Sections } from './read-sections.ts';
import { createSaid, type Said } from './said.ts';
import { telegram } from './telegram.ts';
import type { Source, Units } from './unit-rows.ts';

type Listed = 'pending' | 'blockers' | 'decisions' | 'completed' | 'topics';

/** One thing a summary can say; `order` is its place in its section. A fact is a row of its source, in telegram style. */
export type Item = { readonly text: string; readonly from: readonly EntryId[]; readonly order: number } & (
  | { readonly section: 'overview' | 'facts' }
  | { readonly section: Listed; readonly line: SummaryLine }
  | { readonly section: 'files'; readonly file: SummaryFile }
  | { readonly section: 'ledger'; readonly item: LedgerItem }
);

export interface Material {
  readonly sections: Sections;
  readonly topics: readonly SummaryLine[];
  readonly agentic: boolean;
  readonly units: Units;
  readonly sources: readonly Source[];
  readonly ranking: Ranking;
  readonly dropped: ReadonlySet<number>;
}

interface Queue {
  /** Its share of the room while it has something to say; what it does not use falls to the others. */
  readonly share: number;
  spent: number;
  next(): Item | undefined;
}

/**
 * Everything the summary could say, most important first, until `enough` tokens are listed. A summary is a beginning of
 * this list. The list does not depend on the budget, so a larger budget says all that a smaller one says, and more.
 */
export function rankItems(material: Material, enough: number): Item[] {
  const said = createSaid();
  const items: Item[] = [];
  let tokens = 0;
  const add = (item: Item): number => {
    const cost = countText(item.text) + 2;
    items.push(item);
    said.add(item.text, item.from);
    if (item.section !== 'facts') material.ranking.cover(material.units.wordsOf(item.text));
    tokens += cost;
    return cost;
  };
  for (const item of headOf(material.sections)) add(item);
  const queues = openQueues(material, said);
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

const MOST_PENDING = 12;

/** What nobody can go on without: the question, what is open, what is in the way. */
function headOf({ overviews, pending, blockers }: Sections): Item[] {
  const [short, ...longer] = overviews.map(
    (text, order): Item => ({ section: 'overview', text, from: [], order }),
  );
  return [
    ...(short ? [short] : []),
    ...listed('pending', pending).toReversed().slice(0, MOST_PENDING),
    ...listed('blockers', blockers).toReversed(),
    ...longer,
  ];
}

function listed(section: Listed, lines: readonly SummaryLine[]): Item[] {
  return lines.map((line, order) => ({ section, line, text: line.text, from: line.from, order }));
}

function openQueues(material: Material, said: Said): Queue[] {
  const { sections, topics, agentic } = material;
  const decisions = listed('decisions', sections.decisions);
  const places = new Map(sections.files.map((file, order) => [file, order]));
  const files = orderFiles(sections.files).map((file): Item => {
    const text = `${file.path} (${file.operations.join(', ')})`;
    return { section: 'files', file, text, from: file.from ?? [], order: places.get(file)! };
  });
  const rows = new Map(sections.ledger.map((item, order) => [item, order]));
  const ledger = orderLedger(sections.ledger, { agentic }).map((item): Item => {
    const text = `${item.kind}: ${item.text}`;
    return { section: 'ledger', item, text, from: [item.entry], order: rows.get(item)! };
  });
  const told = new Set<Item>();
  const untold = (item: Item) => {
    const first = !told.has(item);
    told.add(item);
    return first;
  };
  const isNew = (item: Item) => !said.hasSentence(item.text, item.from);
  const isNewName = (item: Item) => item.section === 'ledger' && !said.hasName(item.item.text);
  return [
    queueOf(factsOf(material, { said, decisions, untold }), { share: 10 }),
    queueOf(listed('completed', sections.completed).toReversed(), { share: 2, wanted: isNew }),
    queueOf(decisions.toReversed(), { share: 2, wanted: untold }),
    queueOf(files, { share: 2 }),
    queueOf(ledger, { share: 3, wanted: isNewName }),
    queueOf(listed('topics', topics), { share: 0.5, late: 75 }),
  ];
}

/** `late` is how many tokens it counts as having spent before it begins: what can wait comes in a long summary only. */
function queueOf(
  items: Iterable<Item>,
  {
    share,
    wanted = () => true,
    late = 0,
  }: { share: number; wanted?: (item: Item) => boolean; late?: number },
): Queue {
  const iterator = Iterator.from(items);
  return {
    share,
    spent: late,
    next: () => {
      for (let step = iterator.next(); !step.done; step = iterator.next()) {
        if (wanted(step.value)) return step.value;
      }
      return undefined;
    },
  };
}

/** Rows by what they add. A row that states a decision comes as that decision. */
function* factsOf(
  { ranking, units, sources, dropped }: Material,
  { said, decisions, untold }: { said: Said; decisions: readonly Item[]; untold: (item: Item) => boolean },
): Generator<Item> {
  const seen = new Set<string>();
  const decided = Map.groupBy(decisions, ({ from }) => from[0]);
  for (let row = ranking.next(); row >= 0; row = ranking.next()) {
    const { text, from } = sources[units.source[row]!]!;
    const sentence = text.slice(units.start[row], units.end[row]);
    const key = todoKey(sentence);
    const decision = decided.get(from[0])?.find((item) => todoKey(item.text).includes(key));
    if (decision && untold(decision)) yield decision;
    if (decision || seen.has(key) || said.hasSentence(sentence, from)) continue;
    seen.add(key);
    const short = telegram(sentence, dropped);
    if (short) yield { section: 'facts', text: short, from, order: row };
  }
}
