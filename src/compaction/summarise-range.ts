import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, isThroughlineError, ThroughlineError } from '../errors.ts';
import { isOfflineAnswer } from '../models/index.ts';
import type { Author, Entry, Summary, Usage } from '../record/index.ts';
import { addUsage, NO_USAGE } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { digestRange, tallyRange } from './digest-range.ts';
import { addMissing, measureRetention } from './retention/index.ts';
import type { Summarised, SummariseRequest, Summariser } from './summariser.ts';
import { verifySummary } from './verify-summary.ts';
import { waitBeforeRetry } from './wait-before-retry.ts';
import { withinTime } from './within-time.ts';

export interface SummariseOptions {
  /** Asked first, and once more if it fails; then the digest does it. Without one the digest does it at once. */
  readonly summariser?: Summariser;
  /** Of one answer, by default the summariser's: a summary that is written in pieces has this much time for each. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with what an answer used as soon as it is known, also if the summary is not used then. */
  readonly onUsage?: (usage: Usage) => void;
  /** Why a model is not asked this time, if there is one: told among the failures. */
  readonly unasked?: Failure;
}

export interface Failure {
  readonly by: string;
  readonly reason: string;
  /** If it was refused or failed in a known way. */
  readonly code?: ErrorCode;
}

/** A summary that has passed, and how it came about. */
export interface Draft {
  readonly summary: Summary;
  readonly tokens: number;
  readonly retention: number;
  readonly by: Author;
  readonly usage?: Usage;
  /** What was tried before and why it was not used, for people. */
  readonly failures: readonly Failure[];
}

const TIMEOUT_MS = 120_000;
const TRIES = 2;
/** Below this share of hard items kept, the missing ones are added to the ledger. */
const RETENTION_FLOOR = 0.6;
const ROOM_FOR_MISSING = 0.15;

/**
 * Summarises a range so that something usable always comes out: a model's summary if it passes, otherwise the digest's.
 * Only a cancelled signal, or a range that cannot be made smaller, ends without one.
 */
export async function summariseRange(
  given: SummariseRequest & { readonly tokensBefore: number },
  {
    summariser,
    timeoutMs = summariser?.timeoutMs ?? TIMEOUT_MS,
    signal,
    onUsage,
    unasked,
  }: SummariseOptions = {},
): Promise<Draft> {
  const request = { ...given, entries: withoutQuotes(given.entries) };
  const failures: Failure[] = unasked ? [unasked] : [];
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
    return finish(digestRange({ ...request, maxTokens: mostTokens(request.maxTokens) }), request, {
      failures,
      usage: spent,
    });
  } catch (error) {
    if (!cannotShrink(error)) throw error;
    // A few short messages: what was quoted of them is no shorter, but how many there were is.
    return finish(tallyRange(request), request, { failures, usage: spent });
  }
}

function toFailure(by: string, error: Error): Failure {
  return { by, reason: error.message, ...(isThroughlineError(error) && { code: error.code }) };
}

/** What nobody thought up is no source: without this, how to connect a model would be a topic. */
function withoutQuotes(entries: readonly Entry[]): readonly Entry[] {
  const said = entries.filter(({ body }) => !isOfflineAnswer(body));
  return said.length > 0 ? said : entries;
}

function finish(
  made: Summarised,
  { entries, tokensBefore, maxTokens, before }: SummariseRequest & { tokensBefore: number },
  { failures, usage }: { failures: Draft['failures']; usage: Usage | undefined },
): Draft {
  const verified = verifySummary(made, { entries, tokensBefore, ...(before && { before }) });
  // The digest spends that room on sentences, which say what a name or a figure is about.
  const summary = made.by.kind === 'digest' ? verified : keepHardItems(verified, entries, maxTokens);
  return {
    summary,
    tokens: countText(renderSummary(summary)),
    retention: measureRetention(entries, summary).score,
    by: made.by,
    ...(usage && { usage }),
    failures,
  };
}

function keepHardItems(summary: Summary, entries: readonly Entry[], maxTokens: number): Summary {
  const { score, missing } = measureRetention(entries, summary);
  return score >= RETENTION_FLOOR ? summary : addMissing(summary, missing, mostTokens(maxTokens));
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
