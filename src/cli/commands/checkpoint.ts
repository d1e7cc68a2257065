import type { Command } from 'commander';
import type { SessionInfo } from '../../record/index.ts';
import { openSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { Checkpoint } from '../../summary/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseCount } from '../parse-option.ts';
import { renderChanges, renderCheckpoint, renderHistory } from '../render/render-checkpoint.ts';
import { printJson, printLines } from '../terminal/print.ts';
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
    .option('--restore', 'make the given version the current one again')
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
      await withStore(options, async ({ store, find }) => {
        const { checkpointAt, checkpointHistory, readCheckpoint } = await import('../../compaction/index.ts');
        const info = await find(reference);
        const { json, history, diff, restore } = options;
        if (history) return show(json, await checkpointHistory(store, info), renderHistory);
        if (diff) return show(json, await compare(store, info, numbers), renderChanges);
        if (restore) await bringBack(store, info, numbers[0]);
        const [version] = restore ? [] : numbers;
        const now = (await store.session(info.id)) ?? info;
        const checkpoint =
          version === undefined ? await readCheckpoint(store, now) : await checkpointAt(store, now, version);
        return show(json, checkpoint, renderCheckpoint);
      });
    });
}

async function show<T>(json: boolean | undefined, value: T, render: (value: T) => string[]): Promise<void> {
  await (json ? printJson(value) : printLines(render(value)));
}

async function compare(store: Store, info: SessionInfo, [from, to]: readonly number[]) {
  const { checkpointAt, checkpointHistory, readCheckpoint } = await import('../../compaction/index.ts');
  const { diffCheckpoints } = await import('../../summary/index.ts');
  const latest = (await checkpointHistory(store, info)).length;
  const after = to ?? (from === undefined ? latest : latest);
  const before = from ?? latest - 1;
  const at = async (version: number): Promise<Checkpoint> =>
    version < 1 ? readCheckpoint(store, info, { at: 0 }) : checkpointAt(store, info, version);
  return diffCheckpoints(await at(before), await at(after));
}

async function bringBack(store: Store, info: SessionInfo, version: number | undefined): Promise<void> {
  const { checkpointAt, checkpointHistory, restoreCheckpoint } = await import('../../compaction/index.ts');
  const latest = (await checkpointHistory(store, info)).length;
  const wanted = version ?? latest - 1;
  await using session = await openSession(store, info.id, { owner: 'throughline checkpoint' });
  await restoreCheckpoint(session, await checkpointAt(store, info, wanted), { version: wanted });
}
