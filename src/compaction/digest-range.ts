import { emptySummary } from '../record/index.ts';
import { digestEntries, digestVersion } from './digest/index.ts';
import { hasWords, sayWhatWasThere } from './has-words.ts';
import type { Summarised, SummariseRequest } from './summariser.ts';

const by = { kind: 'digest', version: digestVersion } as const;

/** A range in the digest's words. It always says something, if only how much there was. */
export function digestRange({
  entries,
  before,
  foreign,
  asked,
  after,
  maxTokens,
}: SummariseRequest): Summarised {
  const background = before?.overview;
  const summary = digestEntries(entries, {
    maxTokens,
    ...(background && { background }),
    goesOn: before !== undefined || foreign !== undefined,
    ...(asked && { asked }),
    ...(after && { after }),
  });
  const overview = hasWords(summary) ? summary.overview : sayWhatWasThere(entries, { quotes: maxTokens });
  return { summary: { ...summary, overview }, by };
}

/** Only how much there was: shorter than anything that quotes. */
export function tallyRange({ entries }: SummariseRequest): Summarised {
  return { summary: emptySummary(sayWhatWasThere(entries)), by };
}
