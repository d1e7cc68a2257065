import type { OperationResult } from '../../../operations/index.ts';
import type { handOver } from '../../../operations/transcript/index.ts';
import { cyan, dim } from '../terminal/paint.ts';
import { visibleLine } from '../terminal/visible-text.ts';

type Handoff = Pick<OperationResult<typeof handOver>, 'file' | 'command' | 'briefing'>;

const MOST = 5;

/** The file, the open items, and last the command to go on. */
export function renderHandoff({ file, command, briefing }: Handoff): string[] {
  const list = (title: string, lines: Handoff['briefing']['open']) =>
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
