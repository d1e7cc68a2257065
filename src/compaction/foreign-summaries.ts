import { isOfflineAnswer } from '../models/index.ts';
import { type Entry, SUMMARY_LISTS, type Summary } from '../record/index.ts';
import { foreignText, isRendered, readOwn } from '../summary/index.ts';
import { withoutNumber } from '../text/index.ts';
import { countText } from '../tokens/index.ts';

// A summary that another program's model wrote is carried word for word. It is merged with no neighbour, so that it stands as
// it is for as long as there is room; where one is covered all the same, the summary that takes its place carries its text,
// in separate room, and so does every later one.

/** Tokens that such texts have beside a summary of ours where nothing is known of the window. */
const MOST_FOREIGN = 6_000;

/**
 * The room for such texts: as much as the summary of ours beside them may take at the most, so neither pushes the other
 * out. One rule for every compaction, asked for or automatic.
 */
export function foreignRoom(mostOfOurs = MOST_FOREIGN): number {
  return Math.min(MOST_FOREIGN, mostOfOurs);
}

/**
 * True for a summary by another program's model, or by a provider unasked. One of ours that came back with a file is no such
 * summary.
 */
export function isForeign({ body }: Entry): boolean {
  return (
    body.kind === 'compaction' &&
    (body.by.kind === 'import' || body.by.kind === 'provider') &&
    SUMMARY_LISTS.every((list) => (body.summary[list] ?? []).length === 0) &&
    !isRendered(body.summary)
  );
}

interface Parted {
  /** The entries without what other programs' models wrote of older ones. */
  readonly entries: readonly Entry[];
  /** What they wrote, oldest first. */
  readonly foreign: string;
  readonly foreignTokens: number;
}

/** Takes the text of other programs' summaries out of entries: also what our summaries carry of it. */
export function partForeign(entries: readonly Entry[]): Parted {
  const texts: string[] = [];
  const own = entries.flatMap((entry): Entry[] => {
    const { body } = entry;
    if (body.kind !== 'compaction' && body.kind !== 'restoration') return [entry];
    if (isForeign(entry)) {
      texts.push(foreignText(body.summary.overview));
      return [];
    }
    const { foreign, ...summary }: Summary = readOwn(body.summary);
    if (!foreign) return [entry];
    texts.push(foreign);
    return [{ ...entry, body: { ...body, summary }, tokens: Math.max(1, entry.tokens - countText(foreign)) }];
  });
  const foreign = [...new Set(texts)].filter(Boolean).join('\n\n');
  const tokensOf = (list: readonly Entry[]) => list.reduce((sum, { tokens }) => sum + tokens, 0);
  return { entries: own, foreign, foreignTokens: tokensOf(entries) - tokensOf(own) };
}

/**
 * Entries as a summary reads them. Answers without a model are no source: how to connect one would become a topic. The
 * number that a loop puts before a question is not part of the sentence that follows it.
 */
export function saidEntries(entries: readonly Entry[]): readonly Entry[] {
  const said = entries.filter(({ body }) => !isOfflineAnswer(body));
  return (said.length > 0 ? said : entries).map(asAsked);
}

function asAsked(entry: Entry): Entry {
  const { body } = entry;
  if (body.kind !== 'message' || body.role !== 'user') return entry;
  const [first, ...rest] = body.parts;
  const text = first?.text;
  const question = typeof text === 'string' ? withoutNumber(text) : text;
  if (question === text) return entry;
  return { ...entry, body: { ...body, parts: [{ ...first!, text: question }, ...rest] } };
}
