import { type Entry, type EntryId, mapLines, type Summary, summaryIn } from '../record/index.ts';
import { lineWords, renderSummary } from '../summary/index.ts';
import { sayMessage } from '../text/index.ts';

/** Share of what the words of a line weigh that an entry has to have: rare words weigh more. */
const LEAST_SHARE = 0.5;
const MOST_SOURCES = 3;

/** The summary with the entries that its lines come from, where a model did not say them: those that have most of the words. */
export function withSources(summary: Summary, entries: readonly Entry[]): Summary {
  const sources = entries.map((entry) => ({ id: entry.id, words: lineWords(textOf(entry)) }));
  const holders = new Map<string, number>();
  for (const { words } of sources) for (const word of words) holders.set(word, (holders.get(word) ?? 0) + 1);
  const weigh = (word: string) => Math.log(1 + sources.length / (holders.get(word) ?? sources.length));
  const find = (text: string): EntryId[] => {
    const words = [...lineWords(text)].filter((word) => holders.has(word));
    const all = words.reduce((sum, word) => sum + weigh(word), 0);
    if (all === 0) return [];
    const scored = sources.map(({ id, words: said }) => ({
      id,
      share: words.reduce((sum, word) => (said.has(word) ? sum + weigh(word) : sum), 0) / all,
    }));
    const best = Math.max(...scored.map(({ share }) => share));
    return scored
      .filter(({ share }) => share >= LEAST_SHARE && share === best)
      .slice(0, MOST_SOURCES)
      .map(({ id }) => id);
  };
  return mapLines(summary, (lines) =>
    lines.map((line) => (line.from.length > 0 ? line : { ...line, from: find(line.text) })),
  );
}

function textOf({ body }: Entry): string {
  if (body.kind === 'message') return sayMessage(body);
  const held = summaryIn(body);
  return held ? renderSummary({ ...held, background: '' }) : '';
}
