import { isThroughlineError, ThroughlineError } from '../errors.ts';
import { isOfflineAnswer } from '../models/index.ts';
import type { Author, Entry, Summary, Usage } from '../record/index.ts';
import { addUsage } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { digestEntries, digestVersion } from './digest/index.ts';
import { addMissing, measureRetention } from './retention/index.ts';
import type { Summarised, SummariseRequest, Summariser } from './summariser.ts';
import { verifySummary } from './verify-summary.ts';

export interface SummariseOptions {
  /** Asked first, and once more if it fails; then the digest does it. Without one the digest does it at once. */
  readonly summariser?: Summariser;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A summary that has passed, and how it came about. */
export interface Draft {
  readonly summary: Summary;
  readonly tokens: number;
  readonly retention: number;
  readonly by: Author;
  readonly usage?: Usage;
  /** What was tried before and why it was not used, for people. */
  readonly failures: readonly { readonly by: string; readonly reason: string }[];
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
  { summariser, timeoutMs = TIMEOUT_MS, signal }: SummariseOptions = {},
): Promise<Draft> {
  const request = { ...given, entries: withoutQuotes(given.entries) };
  const failures: { by: string; reason: string }[] = [];
  let spent: Usage | undefined;
  for (let attempt = 0; summariser && attempt < TRIES; attempt++) {
    try {
      const made = await withinTime((inner) => summariser.summarise(request, { signal: inner }), {
        timeoutMs,
        signal,
      });
      spent = made.usage ? addUsage(spent ?? { inputTokens: 0, outputTokens: 0 }, made.usage) : spent;
      return finish(made, request, { failures, usage: spent });
    } catch (error) {
      throwIfCancelled(signal);
      failures.push({ by: summariser.name, reason: (error as Error).message });
    }
  }
  throwIfCancelled(signal);
  return finish(digest(request), request, { failures, usage: spent });
}

/** What nobody thought up is no source: without this, how to connect a model would be a topic. */
function withoutQuotes(entries: readonly Entry[]): readonly Entry[] {
  const said = entries.filter(({ body }) => !isOfflineAnswer(body));
  return said.length > 0 ? said : entries;
}

function digest({ entries, before, maxTokens }: SummariseRequest): Summarised {
  const background = before?.overview;
  const summary = digestEntries(entries, { maxTokens, ...(background && { background }) });
  return { summary, by: { kind: 'digest', version: digestVersion } };
}

function finish(
  made: Summarised,
  { entries, tokensBefore, maxTokens }: SummariseRequest & { tokensBefore: number },
  { failures, usage }: { failures: Draft['failures']; usage: Usage | undefined },
): Draft {
  const verified = verifySummary(made, { entries, tokensBefore });
  const summary = keepHardItems(verified, entries, maxTokens);
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
  return score >= RETENTION_FLOOR
    ? summary
    : addMissing(summary, missing, Math.floor(maxTokens * (1 + ROOM_FOR_MISSING)));
}

async function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<T> {
  const limit = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  // A summariser that ignores its signal must not hold up the turn, so the time is kept here as well.
  const expired = new Promise<never>((_, reject) => {
    either.addEventListener(
      'abort',
      () => reject(new Error(limit.aborted ? `no answer within ${timeoutMs / 1000} s` : 'cancelled')),
      { once: true },
    );
  });
  return Promise.race([work(either), expired]);
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new ThroughlineError('cancelled', 'The compaction was cancelled; the context is as it was.');
}

/** Whether a failure means that the range simply cannot be made smaller. */
export function cannotShrink(error: unknown): boolean {
  return isThroughlineError(error, 'summary-rejected');
}
