import { sayNumber } from '../../text/index.ts';
import type { Chat } from './chat.ts';

const MARKS = [95, 90, 80] as const;

/** Warns once at each mark: an automatically compacted context fills up again and again. */
export function warnWhenFull(chat: Pick<Chat, 'load' | 'warned' | 'screen'>): void {
  const percent = percentFull(chat);
  if (percent === undefined) return;
  const mark = MARKS.find((each) => percent >= each) ?? 0;
  if (mark <= chat.warned) return;
  chat.warned = mark;
  const { window, reserve } = chat.load!;
  chat.screen.warn(
    `Context ${Math.floor(percent)} % full (${sayNumber(takenIn(chat.load!))} of ${sayNumber(window - reserve)} tokens; the rest of the window is for the answer). "compact" goes on in a new session from a summary, "compact --here" shortens this one.`,
  );
}

/** What is recalled takes only room that nothing else needs: it fills the context and makes it no fuller. */
function takenIn({ tokens, parts }: NonNullable<Chat['load']>): number {
  return tokens - (parts.find(({ part }) => part === 'recall')?.tokens ?? 0);
}

/** How much of the room for a request is taken: the window without the reserve for the answer. */
function percentFull({ load }: Pick<Chat, 'load'>): number | undefined {
  if (!load) return undefined;
  return (takenIn(load) / Math.max(1, load.window - load.reserve)) * 100;
}
