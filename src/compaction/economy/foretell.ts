import {
  type Compacting,
  costOfCompaction,
  costOfSummary,
  costOfTurn,
  type Money,
  turnsToPay,
} from './money.ts';

/** One that may write the summary. */
export interface SummaryWriter {
  readonly by: 'digest' | 'model' | 'cheaper' | 'provider';
  /** `provider:model`, unless it is the digest. */
  readonly model?: string;
  readonly at: Money['writer'];
}

interface ForetoldWriter extends Pick<SummaryWriter, 'by' | 'model'> {
  /** US dollars of the summary. */
  readonly summary: number;
  /** With what the provider reads anew because of it. */
  readonly cost: number;
  /** After how many turns it has paid for itself; absent if it never does. */
  readonly pays?: number;
}

interface Foretold {
  /** US dollars of the next turn as it is, and of a turn behind the compaction. */
  readonly turn: { readonly before: number; readonly after: number };
  /** The provider has read nothing of it lately, so the next request is paid in full either way. */
  readonly cold: boolean;
  readonly writers: readonly ForetoldWriter[];
}

/** What a compaction of these sizes costs and saves: every number of it that people are shown comes from here. */
export function foretell(money: Money, sizes: Compacting, writers: readonly SummaryWriter[]): Foretold {
  const { cold } = money;
  const before = costOfTurn(money, sizes.context);
  const after = costOfTurn(money, sizes.after);
  const next = costOfTurn(money, sizes.context, { cold });
  return {
    turn: { before: next, after },
    cold,
    writers: writers.map(({ at, ...writer }) => {
      const summary = costOfSummary(money, at, { ...sizes, cold });
      const cost = costOfCompaction(money, at, { ...sizes, cold });
      const pays = turnsToPay(cost - (next - before), before, after);
      return { ...writer, summary, cost, ...(pays !== undefined && { pays }) };
    }),
  };
}
