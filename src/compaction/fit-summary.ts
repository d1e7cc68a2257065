import { besidePinned, mapLines, type Summary, type SummaryList } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';
import { splitSentences } from '../text/index.ts';
import { countText } from '../tokens/index.ts';
import { mostThatFit } from './most-that-fit.ts';

/** Written lines get this share at least; lines found by rules have the rest, and unused room. */
export const WORDS = 0.75;
const STEPS = 64;

/**
 * The summary in at most `maxTokens` when it is rendered. Lines go as a whole and from everywhere alike, so that the end
 * of a long range does not crowd out its beginning, and every line that stays keeps its sources. The only decision, task
 * or blocker goes last: a summary is there for them. Pinned lines stay. Of files and the ledger the newest stay.
 */
export function fitSummary(summary: Summary, maxTokens: number): Summary {
  if (tokensOf(summary) <= maxTokens) return summary;
  const { files, ledger, ...words } = summary;
  const bare: Summary = { ...words, files: [], ledger: [] };
  const room = Math.floor(maxTokens * (files.length + ledger.length > 0 ? WORDS : 1));
  const thin = (step: number) => thinned(bare, step / STEPS);
  const kept = thin(mostThatFit(STEPS, (step) => tokensOf(thin(step)) <= room));
  const withNewest = (count: number): Summary => ({
    ...kept,
    files: newest(files, Math.min(count, files.length)),
    ledger: newest(ledger, Math.max(0, count - files.length)),
  });
  return withNewest(
    mostThatFit(files.length + ledger.length, (count) => tokensOf(withNewest(count)) <= maxTokens),
  );
}

function thinned(summary: Summary, share: number): Summary {
  const { overview } = summary;
  const sentences = splitSentences(overview);
  return {
    ...mapLines(summary, (lines, list) =>
      besidePinned(lines, (loose) => spread(loose, share, LAST_TO_GO.has(list) ? Math.ceil : Math.floor)),
    ),
    background: share < 1 ? '' : summary.background,
    // What it was about is the last thing to go.
    overview: share === 1 ? overview : spread(sentences, Math.max(share, 1 / sentences.length)).join(' '),
  };
}

const LAST_TO_GO = new Set<SummaryList>([
  'goal',
  'state',
  'standing',
  'decisions',
  'completed',
  'pending',
  'blockers',
]);

/** A share of the list, taken at even distances, the newest among them. */
function spread<T>(list: readonly T[], share: number, round = Math.floor): T[] {
  const count = round(list.length * share);
  return Array.from({ length: count }, (_, n) => list[Math.ceil(((n + 1) * list.length) / count) - 1]!);
}

function newest<T>(list: readonly T[], count: number): T[] {
  return list.slice(list.length - count);
}

function tokensOf(summary: Summary): number {
  return countText(renderSummary(summary));
}
