import type { Command } from 'commander';
import { ThroughlineError } from '../../errors.ts';
import type { SessionInfo } from '../../record/index.ts';
import { openSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { Checkpoint } from '../../summary/index.ts';
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
      await withStore(options, async ({ store, find }) => {
        const { checkpointAt, checkpointHistory, readCheckpoint } = await import('../../compaction/index.ts');
        const info = await find(reference);
        const { json, history, diff, restore } = options;
        if (history) return show(json, await checkpointHistory(store, info), renderHistory);
        if (restore) {
          const restored = await bringBack(store, info, numbers[0]);
          return json ? printJson(restored.checkpoint) : printLines(renderRestored(restored));
        }
        if (diff || numbers.length === 2)
          return show(json, await compare(store, info, numbers), renderChanges);
        const [version] = numbers;
        const checkpoint =
          version === undefined
            ? await readCheckpoint(store, info)
            : await checkpointAt(store, info, version);
        return show(json, checkpoint, renderCheckpoint);
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

async function show<T>(json: boolean | undefined, value: T, render: (value: T) => string[]): Promise<void> {
  await (json ? printJson(value) : printLines(render(value)));
}

async function compare(store: Store, info: SessionInfo, [from, to]: readonly number[]) {
  const { checkpointAt, checkpointHistory, readCheckpoint } = await import('../../compaction/index.ts');
  const { diffCheckpoints } = await import('../../summary/index.ts');
  const latest = (await checkpointHistory(store, info)).length;
  const after = to ?? latest;
  const before = from ?? latest - 1;
  const at = async (version: number): Promise<Checkpoint> =>
    version < 1 ? readCheckpoint(store, info, { at: 0 }) : checkpointAt(store, info, version);
  return diffCheckpoints(await at(before), await at(after));
}

interface Restored {
  readonly checkpoint: Checkpoint;
  readonly version: number;
  readonly now: number;
}

async function bringBack(store: Store, info: SessionInfo, version: number | undefined): Promise<Restored> {
  const { checkpointAt, checkpointHistory, restoreCheckpoint } = await import('../../compaction/index.ts');
  const latest = (await checkpointHistory(store, info)).length;
  const wanted = version ?? latest - 1;
  if (wanted < 1) throw noneBefore(info, latest);
  const checkpoint = await checkpointAt(store, info, wanted);
  await using session = await openSession(store, info.id, { owner: 'throughline checkpoint' });
  await restoreCheckpoint(session, checkpoint, { version: wanted });
  return {
    checkpoint,
    version: wanted,
    now: (await checkpointHistory(store, await session.refresh())).length,
  };
}

function noneBefore({ id }: SessionInfo, versions: number): ThroughlineError {
  const has = versions === 0 ? 'no version of its checkpoint yet' : 'only one version of its checkpoint';
  return new ThroughlineError(
    'entry-not-found',
    `Session "${id}" has ${has}, so there is none to go back to. Each compaction makes one.`,
    { details: { session: id, versions } },
  );
}

function renderRestored({ checkpoint, version, now }: Restored): string[] {
  return [
    `Version ${version} is the current one again, as version ${now}.`,
    '',
    ...renderCheckpoint(checkpoint),
  ];
}
