import { cyan, dim } from '../terminal/paint.ts';
import { visibleLine } from '../terminal/visible-text.ts';

export interface Handoff {
  readonly file: string;
  readonly command: string;
  readonly state: Readonly<Record<'pending' | 'decisions' | 'blockers' | 'files', readonly string[]>>;
}

const MOST = 5;

/** Where it is, what is open, and last what to type. */
export function renderHandoff({ file, command, state }: Handoff): string[] {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [
          `${title}:`,
          ...lines.slice(-MOST).map((line) => `  - ${visibleLine(line)}`),
          ...(lines.length > MOST ? [dim(`  and ${lines.length - MOST} more`)] : []),
        ];
  return [
    dim(visibleLine(file)),
    ...list('Open', state.pending),
    ...list('In the way', state.blockers),
    'Go on with:',
    `  ${cyan(visibleLine(command))}`,
  ];
}
