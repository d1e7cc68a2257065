import type { Command } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseCount } from '../parse-option.ts';
import { renderChanges, renderCheckpoint, renderHistory } from '../render/render-checkpoint.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

interface CheckpointOptions extends GlobalOptions {
  version?: number;
  history?: boolean;
  diff?: boolean;
  restore?: boolean;
}

export function addCheckpointCommand(program: Command): void {
  program
    .command('checkpoint')
    .description(
      'Show the state of the work: what is done, open, decided and blocked. Every version is kept.',
    )
    .argument('<session>', SESSION_ARGUMENT)
    .argument('[versions...]', 'a version to show, or two to compare')
    .option('--history', 'list all versions')
    .option('--diff', 'what changed between two versions (default: the last two)')
    .option('--restore', 'make a version the current one again (default: the one before the last)')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline checkpoint 1', 'how things stand'],
        ['throughline checkpoint 1 --diff 2 5', 'what changed from version 2 to 5'],
        ['throughline checkpoint 1 3 --restore', 'go back to version 3; nothing is deleted'],
      ),
    )
    .action(async (reference: string, versions: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<CheckpointOptions>();
      const numbers = versions.map((version) => parseCount(version));
      checkUsage(options, numbers);
      await withStore(options, async ({ app, find }) => {
        const operations = await import('../../../operations/checkpoint/index.ts');
        const { compareVersions, getCheckpoint, listVersions, restoreVersion } = operations;
        const { id: sessionId } = await find(reference);
        const { json, history, diff, restore } = options;
        const [first, second] = numbers;
        if (history) {
          const listed = await perform(listVersions, { sessionId }, app);
          if (json) return printJson(printedBy(listVersions, 'checkpoint --history', listed));
          return printLines(renderHistory(listed.versions));
        }
        if (restore) {
          const restored = await perform(restoreVersion, { sessionId, version: first }, app);
          if (json) return printJson(printedBy(restoreVersion, 'checkpoint --restore', restored));
          const said = `Version ${restored.restored} is the current one again, as version ${restored.version}.`;
          return printLines([said, '', ...renderCheckpoint(restored.checkpoint)]);
        }
        if (diff || second !== undefined) {
          const compared = await perform(compareVersions, { sessionId, from: first, to: second }, app);
          if (json) return printJson(printedBy(compareVersions, 'checkpoint --diff', compared));
          return printLines(renderChanges(compared.changes));
        }
        const shown = await perform(getCheckpoint, { sessionId, version: first }, app);
        if (json) return printJson(printedBy(getCheckpoint, 'checkpoint', shown));
        return printLines(renderCheckpoint(shown.checkpoint));
      });
    });
}

function checkUsage({ history, diff, restore }: CheckpointOptions, versions: readonly number[]): void {
  if ([history, diff, restore].filter(Boolean).length > 1)
    throw usageError('--history, --diff and --restore each do something else: give one of them.');
  const most = history ? 0 : restore ? 1 : 2;
  if (versions.length <= most) return;
  throw usageError(
    [
      '--history takes no version.',
      '--restore takes one version.',
      'There are two versions to compare at most.',
    ][most]!,
  );
}
