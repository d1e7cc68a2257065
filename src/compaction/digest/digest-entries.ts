import type { Entry, Summary } from '../../record/index.ts';
import { renderSummary, withoutGone } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';
import { ledgerOf, readEntries } from '../ledger/index.ts';
import { mostThatFit } from '../most-that-fit.ts';
import { buildSummary } from './build-summary.ts';
import { carryEarlier, earlierSummaries, goneIn } from './carry-earlier.ts';
import { chooseTopics } from './choose-topics.ts';
import { functionWords } from './function-words.ts';
import { rankItems } from './rank-items.ts';
import { rankUnits } from './rank-units.ts';
import { cutWords, readRequests } from './read-requests.ts';
import { readSections } from './read-sections.ts';
import { readSources } from './read-sources.ts';
import { readUnits } from './read-units.ts';
import type { Source } from './unit-rows.ts';

/** Changes whenever the rules do, so that a summary says which rules made it. */
export const digestVersion = 'digest-2';

export interface DigestOptions {
  /** Most tokens that the summary may have when it is rendered. */
  readonly maxTokens: number;
  readonly background?: string;
  /** Summaries of what came before, oldest first, to be merged into this one: their least important lines go first. */
  readonly earlier?: readonly Summary[];
}

/**
 * A summary made without a model: the same for the same entries, always. Lists are told by rule; facts are sentences of
 * the range without their function words, chosen for what is said once and hard to guess. Nothing is rephrased.
 */
export function digestEntries(
  entries: readonly Entry[],
  { maxTokens, background, earlier = [] }: DigestOptions,
): Summary {
  const readings = readEntries(entries);
  const carried = carryEarlier(earlierSummaries(earlier, entries));
  const sources = [...carried.sources, ...readSources(readings)];
  const requests = readRequests(readings);
  const ledger = ledgerOf(readings, earlier);
  const dropped = functionWords(sampleOf(sources));
  const units = readUnits(sources, dropped);
  const items = rankItems(
    {
      sections: withoutGone(readSections({ requests, ledger, carried, readings }), goneIn(entries)),
      topics: chooseTopics(units, sources),
      agentic: requests.agentic || ledger.files.length > 0,
      units,
      sources,
      ranking: rankUnits(units, sources),
      dropped,
    },
    maxTokens * 1.25 + 100,
  );
  const before = fitBackground(background ?? earlier[0]?.background ?? NO_BACKGROUND, maxTokens);
  const build = (count: number) =>
    buildSummary(items.slice(0, count), { background: before, units, sources });
  return build(mostThatFit(items.length, (count) => tokensOf(build(count)) <= maxTokens));
}

const NO_BACKGROUND = 'Initial session.';

function tokensOf(summary: Summary): number {
  return countText(renderSummary(summary));
}

/** A quarter of the room at most: the range itself comes first. */
function fitBackground(background: string, maxTokens: number): string {
  if (countText(background) * 4 <= maxTokens) return background;
  const longest = mostThatFit(
    background.length,
    (length) => countText(background.slice(0, length)) * 4 <= maxTokens,
  );
  return cutWords(background, longest) || NO_BACKGROUND;
}

const SAMPLE = 6000;

/** Some of what people and models wrote, from the beginning and from the end. */
function sampleOf(sources: readonly Source[]): string {
  const talk = sources.filter(({ by }) => by !== 'tool');
  const some = talk.length <= 60 ? talk : [...talk.slice(0, 30), ...talk.slice(-30)];
  return some.map(({ text }) => text.slice(0, SAMPLE / 30)).join(' ');
}
