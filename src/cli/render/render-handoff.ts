import type { Briefing, BriefingLine } from '../../transcripts/index.ts';
import { cyan, dim } from '../terminal/paint.ts';
import { visibleLine } from '../terminal/visible-text.ts';

export interface Handoff {
  readonly file: string;
  readonly command: string;
  readonly briefing: Briefing;
}

const MOST = 5;

/** Where it is, what is open, and last what to type. */
export function renderHandoff({ file, command, briefing }: Handoff): string[] {
  const list = (title: string, lines: readonly BriefingLine[]) =>
    lines.length === 0
      ? []
      : [
          `${title}:`,
          ...lines.slice(-MOST).map(({ text }) => `  - ${visibleLine(text)}`),
          ...(lines.length > MOST ? [dim(`  and ${lines.length - MOST} more`)] : []),
        ];
  return [
    dim(visibleLine(file)),
    ...list('Open', briefing.open),
    ...list('In the way', briefing.blockers),
    'Go on with:',
    `  ${cyan(visibleLine(command))}`,
  ];
}
