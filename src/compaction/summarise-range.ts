import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, isThroughlineError, ThroughlineError } from '../errors.ts';
import {
  type Author,
  addUsage,
  emptySummary,
  NO_USAGE,
  type Summary,
  type SummaryCall,
  type Usage,
} from '../record/index.ts';
import { fitForeign, renderSummary, sayLine } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { digestEntries, digestVersion } from './digest/digest-entries.ts';
import { fitSummary } from './fit-summary.ts';
import { foreignRoom, partForeign, saidEntries } from './foreign-summaries.ts';
import { hasWords, sayWhatWasThere } from './has-words.ts';
import { keepLasting } from './keep-lasting.ts';
import { pinnedLines, withPinnedLines } from './pinned-lines.ts';
import { addMissing } from './retention/add-missing.ts';
import { measureRetention } from './retention/measure-retention.ts';
import { statedLines, withStatedLines } from './stated/with-stated-lines.ts';
import type { Summarised, SummariseRequest, Summariser } from './summariser.ts';
import { mostOfBefore, verifySummary } from './verify-summary.ts';
import { waitBeforeRetry, withinTime } from './within-time.ts';

export interface SummariseOptions {
  /** Asked first, and once more if it fails; then the digest does it. Without one the digest does it at once. */
  readonly summariser?: Summariser;
  /** Of one answer, by default the summariser's: a summary that is written in pieces has this much time for each. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with what an answer used as soon as it is known, also if the summary is not used then. */
  readonly onUsage?: (usage: Usage) => void;
  /** Why a model is not asked this time, if there is one: listed among the failures. */
  readonly unasked?: RangeFailure;
}

export interface RangeFailure {
  readonly by: string;
  readonly reason: string;
  /** If it was refused or failed in a known way. */
  readonly code?: ErrorCode;
}

/** A summary that has passed, and how it came about. */
export interface RangeDraft {
  readonly summary: Summary;
  readonly tokens: number;
  readonly retention: number;
  readonly by: Author;
  readonly usage?: Usage;
  /** How the model was asked that wrote it. */
  readonly call?: SummaryCall;
  /** Earlier attempts and why they were not used, for people. */
  readonly failures: readonly RangeFailure[];
}

const TIMEOUT_MS = 120_000;
const TRIES = 2;
/** Below this share of hard items kept, the missing ones are added to the ledger. */
const RETENTION_FLOOR = 0.6;
const ROOM_FOR_MISSING = 0.15;
/** Tokens that a summary may take in any case beside the stated and pinned lines. */
const LEAST_BESIDE_FIRM = 120;

/**
 * Summarises a range so that something usable always comes out: a model's summary if it passes, otherwise the digest's.
 * Only a cancelled signal, or a range that cannot be made smaller, ends without one.
 */
export async function summariseRange(
  given: Asked,
  {
    summariser,
    timeoutMs = summariser?.timeoutMs ?? TIMEOUT_MS,
    signal,
    onUsage,
    unasked,
  }: SummariseOptions = {},
): Promise<RangeDraft> {
  const request = besideFirm(besideForeign({ ...given, entries: saidEntries(given.entries) }));
  const failures: RangeFailure[] = unasked ? [unasked] : [];
  let spent: Usage | undefined;
  const spend = (usage: Usage) => {
    spent = addUsage(spent ?? NO_USAGE, usage);
    onUsage?.(usage);
  };
  for (let attempt = 0; summariser && attempt < TRIES; attempt++) {
    try {
      const made = await withinTime(
        (inner, alive) =>
          summariser.summarise(request, {
            signal: inner,
            answered(usage) {
              alive();
              spend(usage);
            },
          }),
        { timeoutMs, signal },
      );
      if (made.usage) spend(made.usage);
      return finish(made, request, { failures, usage: spent });
    } catch (error) {
      throwIfCancelled(signal);
      failures.push(toFailure(summariser.name, error as Error));
      const waitMs = waitBeforeRetry(error);
      if (waitMs === undefined) break;
      if (attempt < TRIES - 1) await sleep(waitMs, undefined, signal && { signal }).catch(() => {});
    }
  }
  throwIfCancelled(signal);
  try {
    const maxTokens = Math.min(mostTokens(request.maxTokens), mostOfBefore(request.tokensBefore));
    return finish(digestRange({ ...request, maxTokens }), request, {
      failures,
      usage: spent,
    });
  } catch (error) {
    if (!cannotShrink(error)) throw error;
    // A few short messages: their quotes are no shorter, but their number is.
    return finish(tallyRange(request), request, { failures, usage: spent });
  }
}

function toFailure(by: string, error: Error): RangeFailure {
  return { by, reason: error.message, ...(isThroughlineError(error) && { code: error.code }) };
}

type Asked = SummariseRequest & { readonly tokensBefore: number };

/** What other programs' models wrote stays as it is: what saves something is the summary of the rest. */
function besideForeign(request: Asked): Asked {
  const { foreignTokens = foreignRoom(), tokensBefore } = request;
  const parted = partForeign(request.entries);
  const texts = [...new Set([request.foreign, parted.foreign])].filter(Boolean);
  if (texts.length === 0) return request;
  const foreign = fitForeign(texts.join('\n\n'), foreignTokens);
  const kept = parted.foreign ? Math.min(countText(foreign), parted.foreignTokens) : 0;
  return { ...request, entries: parted.entries, foreign, tokensBefore: tokensBefore - kept };
}

/** Stated and pinned lines take room of the summary only where both together would save nothing. */
function besideFirm(request: Asked): Asked {
  const { entries, tokensBefore, maxTokens, keepStated } = request;
  const firm = [...(keepStated ? statedLines(entries) : []), ...pinnedLines(entries)];
  if (firm.length === 0) return request;
  const taken = firm.reduce((sum, { line }) => sum + countText(`- ${sayLine(line)}\n`), 0);
  const left = Math.max(LEAST_BESIDE_FIRM, Math.floor(tokensBefore * 0.8) - taken);
  return { ...request, maxTokens: Math.min(maxTokens, left) };
}

function finish(
  made: Summarised,
  request: Asked,
  { failures, usage }: { failures: RangeDraft['failures']; usage: Usage | undefined },
): RangeDraft {
  const { entries, tokensBefore, asked, keepStated, foreign } = request;
  const sources = asked ? [asked, ...entries] : entries;
  const before = knownBefore(request);
  const verified = verifySummary(made, { entries: sources, tokensBefore, ...(before && { before }) });
  // The digest spends that room on sentences, which say what a name or a figure is about.
  const whole = made.by.kind === 'digest' ? verified : keepWhatMatters(made.summary, verified, request);
  const stated = keepStated ? withStatedLines(whole, statedLines(entries)) : whole;
  const pinned = withPinnedLines(stated, pinnedLines(entries));
  const summary = foreign ? { ...pinned, foreign } : pinned;
  return {
    summary,
    tokens: countText(renderSummary(summary)),
    retention: measureRetention(entries, summary).score,
    by: made.by,
    ...(usage && { usage }),
    ...(made.call && { call: made.call }),
    failures,
  };
}

/** What the one who writes a summary may know beside the range. */
function knownBefore({ before, foreign }: Asked): Summary | undefined {
  return foreign ? { ...(before ?? emptySummary()), foreign } : before;
}

/** Rules and decisions first, then names and figures if too few are left. Notes about unknown names take no more room. */
function keepWhatMatters(
  written: Summary,
  verified: Summary,
  { entries, asked, after, ...request }: Asked,
): Summary {
  const maxTokens = mostTokens(request.maxTokens);
  const fitted = fitSummary(verified, Math.max(maxTokens, countText(renderSummary(written))));
  const summary = keepLasting(fitted, {
    entries,
    maxTokens,
    ...(asked && { asked }),
    ...(after && { after }),
  });
  const { score, missing } = measureRetention(entries, summary);
  return score >= RETENTION_FLOOR ? summary : addMissing(summary, missing, maxTokens);
}

/** What a summary may take in the end, with the hard items that were added to it. */
export function mostTokens(maxTokens: number): number {
  return Math.floor(maxTokens * (1 + ROOM_FOR_MISSING));
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new ThroughlineError('cancelled', 'The compaction was cancelled; the context is as it was.');
}

/** Whether a failure means that the range simply cannot be made smaller. */
export function cannotShrink(error: unknown): boolean {
  return isThroughlineError(error, 'summary-rejected');
}

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
function tallyRange({ entries }: SummariseRequest): Summarised {
  return { summary: emptySummary(sayWhatWasThere(entries)), by };
}
