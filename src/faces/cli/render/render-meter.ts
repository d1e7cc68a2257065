import type { BuiltContext, ContextMessage } from '../../../context/index.ts';
import { sayFit, sayNumber, sayShare, sayTokenCount } from '../../../text/index.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { visibleText } from '../terminal/visible-text.ts';

/** Of the bar, where the screen is wide enough for it and the words behind it. */
const WIDTH = 40;
const BESIDE = 24;
const DIGITS = 11;
const FILLS = '█▓▒░▚▞';

type Metered = Pick<BuiltContext, 'parts' | 'window' | 'tokens' | 'leftOut' | 'messages'> & {
  readonly steps: readonly string[];
};

/** The bar that people read: the parts of the window, the reserve for the answer, the free room. */
export function renderMeter(built: Metered, { messages }: { messages: boolean }): string[] {
  const { parts, window, steps, leftOut } = built;
  const used = parts.filter(
    ({ part, tokens: amount }) => part !== 'free' && part !== 'reserve' && amount > 0,
  );
  const reserve = parts.find(({ part }) => part === 'reserve')?.tokens ?? 0;
  const width = Math.max(8, Math.min(WIDTH, screenWidth() - BESIDE));
  const digits = width < WIDTH ? Math.max(...parts.map((part) => sayNumber(part.tokens).length)) : DIGITS;
  const share = (amount: number) => Math.round((amount / window) * width);
  const bar = used
    .map(({ tokens: amount }, index) => FILLS[index % FILLS.length]!.repeat(Math.max(1, share(amount))))
    .join('');
  const kept = '·'.repeat(share(reserve));
  const free = ' '.repeat(Math.max(0, width - bar.length - kept.length));
  return [
    `[${bar.slice(0, width - kept.length)}${free}${kept}] ${sayShare(built.tokens, window)} of ${sayTokenCount(window)}`,
    ...parts
      .filter(({ tokens: amount }) => amount > 0)
      .map((part) => partLine(part, { used, window, digits })),
    ...sayFit({ steps, leftOut }).map(visibleText),
    ...(messages ? ['', ...built.messages.flatMap(messageLines)] : []),
  ];
}

function partLine(
  { part, tokens: amount }: BuiltContext['parts'][number],
  { used, window, digits }: { used: BuiltContext['parts']; window: number; digits: number },
): string {
  const index = used.findIndex((other) => other.part === part);
  const mark = index >= 0 ? FILLS[index % FILLS.length]! : part === 'reserve' ? '·' : ' ';
  return `  ${mark} ${part.padEnd(12)} ${sayNumber(amount).padStart(digits)}  ${sayShare(amount, window).padStart(6)}`;
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
