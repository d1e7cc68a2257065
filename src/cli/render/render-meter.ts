import type { BuiltContext, ContextMessage } from '../../context/index.ts';
import { sayCount, sayNumber, sayShare } from '../../text/index.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { tokens } from './render-compaction.ts';

const WIDTH = 40;
const FILLS = '█▓▒░▚▞';

type Metered = Pick<BuiltContext, 'parts' | 'window' | 'tokens' | 'leftOut' | 'messages'> & {
  readonly steps: readonly string[];
};

/** The bar that people read: what takes how much of the window, what is kept for the answer, what is free. */
export function renderMeter(built: Metered, { messages }: { messages: boolean }): string[] {
  const { parts, window, steps, leftOut } = built;
  const used = parts.filter(
    ({ part, tokens: amount }) => part !== 'free' && part !== 'reserve' && amount > 0,
  );
  const reserve = parts.find(({ part }) => part === 'reserve')?.tokens ?? 0;
  const share = (amount: number) => Math.round((amount / window) * WIDTH);
  const bar = used
    .map(({ tokens: amount }, index) => FILLS[index % FILLS.length]!.repeat(Math.max(1, share(amount))))
    .join('');
  const kept = '·'.repeat(share(reserve));
  const free = ' '.repeat(Math.max(0, WIDTH - bar.length - kept.length));
  return [
    `[${bar.slice(0, WIDTH - kept.length)}${free}${kept}] ${sayShare(built.tokens, window)} of ${tokens(window)}`,
    ...parts.filter(({ tokens: amount }) => amount > 0).map((part) => partLine(part, used, window)),
    ...(steps.length > 0 ? [`To fit: ${steps.join(', ')}.`] : []),
    ...leftOut.filter(({ entries }) => entries > 0).map(leftOutLine),
    ...(messages ? ['', ...built.messages.flatMap(messageLines)] : []),
  ];
}

/** What the kinds are where they are entries themselves; of all others, an entry has one or more. */
const KINDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  turns: ['message of old turns', 'messages of old turns'],
  answers: ['message of the newest turn', 'messages of the newest turn'],
  text: ['message in part', 'messages in part'],
  entries: ['entry', 'entries'],
  summaries: ['summary', 'summaries'],
  recalled: ['message that was recalled', 'messages that were recalled'],
};

function leftOutLine({ what, entries, tokens: amount, reason }: BuiltContext['leftOut'][number]): string {
  const [one, many] = KINDS[what] ?? [`message with ${what}`, `messages with ${what}`];
  const size = amount > 0 ? `, ${tokens(amount)}` : '';
  return visibleText(`Left out: ${sayCount(entries, one, many)}${size}: ${reason}.`);
}

function partLine(
  { part, tokens: amount }: BuiltContext['parts'][number],
  used: BuiltContext['parts'],
  window: number,
): string {
  const index = used.findIndex((other) => other.part === part);
  const mark = index >= 0 ? FILLS[index % FILLS.length]! : part === 'reserve' ? '·' : ' ';
  return `  ${mark} ${part.padEnd(12)} ${sayNumber(amount).padStart(11)}  ${sayShare(amount, window).padStart(6)}`;
}

function messageLines({ role, content }: ContextMessage): string[] {
  const text =
    typeof content === 'string'
      ? content
      : content
          .map((part) => ('text' in part && typeof part.text === 'string' ? part.text : JSON.stringify(part)))
          .join('\n');
  return [
    `${role}:`,
    ...visibleText(text)
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}
