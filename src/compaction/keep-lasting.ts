import { type Entry, type Summary, type SummaryLine, type SummaryList, summaryIn } from '../record/index.ts';
import { lineWords, renderSummary, sayTheSame } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { digestEntries, USER_MARK } from './digest/index.ts';
import { findDecisions } from './ledger/index.ts';
import { writtenLines } from './written-lines.ts';

/** A line counts as told if so large a share of its words stands in one line of the summary. */
const TOLD = 0.7;
/** Lists of a model's summary that give up lines for rules and decisions, the first first. */
const YIELDING = ['topics', 'facts', 'completed'] as const satisfies readonly SummaryList[];

interface KeepOptions {
  readonly entries: readonly Entry[];
  /** The request that the range begins in the middle of. */
  readonly asked?: Entry;
  /** Messages behind the range, which may take back what it says. */
  readonly after?: readonly Entry[];
  /** The most that the summary may take, rendered. */
  readonly maxTokens: number;
}

/**
 * A model's summary with the rules, decisions and goal of the range that it does not tell, as the digest finds them, and
 * with open points of older summaries that nothing has closed; with all open points if it names none. Those take the place of the model's oldest topics and facts
 * where there is no room; facts that the person told are added where there is.
 */
export function keepLasting(summary: Summary, { entries, ...options }: KeepOptions): Summary {
  const { maxTokens } = options;
  const found = digestEntries(entries, options);
  const tells = toldBy(summary);
  const earlier = entries.flatMap(({ body }) => summaryIn(body) ?? []);
  const isCarried = (list: 'decisions' | 'pending' | 'blockers') => {
    const before = earlier.flatMap((one) => one[list]);
    return ({ text }: SummaryLine) => before.some((line) => sayTheSame(line.text, text));
  };
  const wasDecided = isCarried('decisions');
  const lasting: readonly (readonly [SummaryList, readonly SummaryLine[]])[] = [
    ['standing', found.standing ?? []],
    // A model judges better than the digest whether a sentence settles something, unless the sentence says that it does.
    ['decisions', found.decisions.filter((line) => wasDecided(line) || findDecisions(line.text).length > 0)],
    ['goal', (summary.goal ?? []).length > 0 ? [] : (found.goal ?? [])],
    ['pending', summary.pending.length > 0 ? found.pending.filter(isCarried('pending')) : found.pending],
    ['blockers', found.blockers.filter(isCarried('blockers'))],
  ];
  const told = found.facts.filter(({ text }) => text.startsWith(USER_MARK));
  const fits = (one: Summary) => countText(renderSummary(one)) <= maxTokens;
  const kept = lasting.reduce(
    (all, [list, lines]) =>
      lines.filter((line) => !tells(line)).reduce((now, line) => makeRoom(now, { list, line, fits }), all),
    summary,
  );
  return told
    .filter((line) => !tells(line))
    .reduce((all, line) => {
      const more = withLine(all, 'facts', line);
      return fits(more) ? more : all;
    }, kept);
}

function makeRoom(
  summary: Summary,
  { list, line, fits }: { list: SummaryList; line: SummaryLine; fits: (summary: Summary) => boolean },
): Summary {
  let more = withLine(summary, list, line);
  for (const giving of YIELDING) {
    while (!fits(more) && more[giving].length > 0) more = { ...more, [giving]: more[giving].slice(1) };
  }
  return fits(more) ? more : summary;
}

function withLine(summary: Summary, list: SummaryList, line: SummaryLine): Summary {
  return { ...summary, [list]: [...(summary[list] ?? []), line] };
}

function toldBy(summary: Summary): (line: SummaryLine) => boolean {
  const lines = [...summary.overview.split(/(?<=[.!?。！？])\s*/u), ...writtenLines(summary)].map(lineWords);
  return ({ text }) => {
    const words = [...lineWords(text)];
    return lines.some((line) => words.filter((word) => line.has(word)).length >= words.length * TOLD);
  };
}
