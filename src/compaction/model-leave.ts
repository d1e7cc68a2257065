import type { Usage } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import type { RangeDraft, SummariseOptions } from './summarise-range.ts';
import type { Summariser } from './summariser.ts';

const HOUR_MS = 3_600_000;
const PAUSE_MS = 600_000;

/** Whether a model may be asked for the next summary of a session. */
interface ModelLeave {
  /** Why not, for people; `undefined` if it may. */
  readonly refusal: string | undefined;
  /** Counts used tokens, whatever came of the call. */
  spend(usage: Usage, at?: number): void;
  /** Looks at how a summary came about that the model was asked for. */
  judge(draft: Pick<RangeDraft, 'by' | 'failures'>): void;
  /** Something has changed: what went wrong before says nothing any more. */
  forgive(): void;
}

/**
 * A model whose summaries are no use is not paid for more of them until something changes: a person acts, or another model
 * is chosen. One that only fails is left alone for a while. None is asked once the hour's tokens are spent.
 */
export function createModelLeave({
  spendPerHour,
  now,
}: {
  spendPerHour: number | undefined;
  now: () => number;
}): ModelLeave {
  let spending: { at: number; tokens: number }[] = [];
  let given: { readonly reason: string; readonly until: number } | undefined;

  function spent(): number {
    spending = spending.filter(({ at }) => now() - at < HOUR_MS);
    return spending.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  return {
    get refusal() {
      if (given && now() < given.until) return `not asked again: ${given.reason}`;
      if (spendPerHour !== undefined && spent() >= spendPerHour)
        return `not asked: the ${spendPerHour} tokens that summaries may use in an hour are spent`;
      return undefined;
    },
    spend({ inputTokens, outputTokens }, at = now()) {
      spending.push({ at, tokens: inputTokens + outputTokens });
    },
    judge({ by, failures }) {
      const last = failures.at(-1);
      if (by.kind !== 'digest' || !last) return;
      const useless = last.code === 'summary-rejected';
      given = { reason: last.reason, until: useless ? Number.POSITIVE_INFINITY : now() + PAUSE_MS };
    },
    forgive() {
      given = undefined;
    },
  };
}

/** Who writes as things stand: a model that may not be asked is left out, and the result says so. */
export function writerNow(
  { refusal }: Pick<ModelLeave, 'refusal'>,
  summariser: Summariser | undefined,
): Pick<SummariseOptions, 'summariser' | 'unasked'> {
  if (!summariser || refusal === undefined) return summariser ? { summariser } : {};
  const { withoutModel, name } = summariser;
  return { unasked: { by: name, reason: refusal }, ...(withoutModel && { summariser: withoutModel }) };
}

/** Notes of the log that are looked through for what summaries have cost. */
const MOST_COUNTED = 500;

/** Tells what the newest summaries of a session used, and when: the log has it. */
export async function countSpent(session: Session, spend: (usage: Usage, at: number) => void): Promise<void> {
  const notes = { only: 'notes', order: 'newest-first', limit: MOST_COUNTED } as const;
  for (const { at, body } of await session.read(notes)) {
    if (body.kind === 'message') continue;
    const { usage, meta } = body as { usage?: Usage; meta?: { usage?: Usage } };
    const paid = usage ?? meta?.usage;
    if (paid) spend(paid, at);
  }
}
