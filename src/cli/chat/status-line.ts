import { foldSpending, NO_SPENDING, type Spending, sayCost } from '../../run/index.ts';
import type { Session } from '../../session/index.ts';
import { sayShare, sayTokens } from '../../text/index.ts';
import type { Chat } from './chat.ts';

const WIDTH = 10;

/** Adds up the cost of a session, reading only new entries. */
export function createSpendingCounter(): (session: Session) => Promise<Spending> {
  let seen: { id: string; seq: number; spending: Spending } | undefined;
  return async (session) => {
    const { id, parent, head } = await session.refresh();
    const start = parent?.relation === 'fork' ? parent.seq : 0;
    const from: NonNullable<typeof seen> = seen?.id === id ? seen : { id, seq: start, spending: NO_SPENDING };
    let { spending } = from;
    for await (const entry of session.entries({ after: from.seq, upTo: head }))
      spending = foldSpending(spending, entry);
    seen = { id, seq: head, spending };
    return spending;
  };
}

/** `anthropic:claude-sonnet-5 · ▰▰▱▱▱▱▱▱▱▱ 18 % of 200K · $0.0421`. */
export function statusLine(chat: Pick<Chat, 'model' | 'load'>, { combined }: Spending): string {
  return [chat.model.id, meterText(chat), sayCost(combined)].filter((piece) => piece !== '').join(' · ');
}

/** As in the meter of `context`: the share of the whole window. */
function meterText(chat: Pick<Chat, 'model' | 'load'>): string {
  if (!chat.load) return '';
  const { tokens, window } = chat.load;
  const full = Math.min(WIDTH, Math.ceil((tokens / window) * WIDTH));
  const bar = '▰'.repeat(full) + '▱'.repeat(WIDTH - full);
  return `${bar} ${sayShare(tokens, window)} of ${sayTokens(window)}`;
}
