import type { OperationResult } from '../../../operations/index.ts';
import type { exportLayoutOperation, importLayoutOperation } from '../../../operations/work/index.ts';
import { sayCount } from '../../../text/index.ts';
import { yellow } from '../terminal/paint.ts';
import { visibleLine } from '../terminal/visible-text.ts';

export function renderLayoutImport({
  features,
  tasks,
  sessions,
  damaged,
}: OperationResult<typeof importLayoutOperation>): string[] {
  const messages = sessions.reduce((sum, session) => sum + session.messages, 0);
  return [
    `${sayCount(features.length, 'feature')}, ${sayCount(tasks.length, 'task')}, ${sayCount(sessions.length, 'session')}, ${sayCount(messages, 'message')}`,
    ...damaged.flatMap(({ file, what, checkpoint }) => [
      yellow(`damaged, left as it is: ${visibleLine(file)} (${visibleLine(what)})`),
      ...(checkpoint === undefined ? [] : [`  its checkpoint can be read: ${visibleLine(checkpoint)}`]),
    ]),
  ];
}

export function renderLayoutExport({
  files,
  keptAside,
}: OperationResult<typeof exportLayoutOperation>): string[] {
  return [
    sayCount(files.length, 'file'),
    ...keptAside.map(({ file, aside, why }) =>
      yellow(`kept aside: ${visibleLine(file)} is now ${visibleLine(aside)}, because ${visibleLine(why)}`),
    ),
  ];
}
