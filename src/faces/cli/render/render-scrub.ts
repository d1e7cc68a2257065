import type { OperationResult } from '../../../operations/index.ts';
import type { scrubStoreOperation } from '../../../operations/store/index.ts';
import { sayCount } from '../../../text/index.ts';
import { cyan, dim, yellow } from '../terminal/paint.ts';

export function renderScrub({
  sessions,
  shared,
  busy,
  named,
  secrets,
  dryRun,
}: OperationResult<typeof scrubStoreOperation>): string[] {
  const entries = sessions.reduce((sum, one) => sum + one.entries, 0);
  const said = dryRun ? 'would be taken out of' : 'taken out of';
  const total =
    entries === 0
      ? `No secret was found in the ${shared.length > 0 ? 'own entries of the sessions' : 'sessions'}.`
      : `${sayCount(secrets, 'secret')} ${said} ${sayCount(entries, 'entry', 'entries')}.`;
  return [
    ...sessions.map((one) => `${cyan(one.id)}  ${dim(sayCount(one.entries, 'entry', 'entries'))}`),
    ...busy.map((id) => yellow(`${id} is being written in, and is as it was`)),
    ...named.map((id) =>
      yellow(`${id} has it in its very id, which cannot be changed: fork it and purge this one`),
    ),
    ...shared.map((id) => yellow(`${id} has it in an entry that a fork shares: scrub ${id} too`)),
    total,
    ...(entries > 0
      ? [dim('Files that were imported, and the archive, are not touched: see "throughline archive scrub".')]
      : []),
  ];
}
