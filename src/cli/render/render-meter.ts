import type { BuiltContext, ContextMessage } from '../../context/index.ts';
import { sayFit, sayNumber, sayShare, sayTokenCount } from '../../text/index.ts';
import { visibleText } from '../terminal/visible-text.ts';

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
    `[${bar.slice(0, WIDTH - kept.length)}${free}${kept}] ${sayShare(built.tokens, window)} of ${sayTokenCount(window)}`,
    ...parts.filter(({ tokens: amount }) => amount > 0).map((part) => partLine(part, used, window)),
    ...sayFit({ steps, leftOut }).map(visibleText),
    ...(messages ? ['', ...built.messages.flatMap(messageLines)] : []),
  ];
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
