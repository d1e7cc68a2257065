import { type Command, Option } from 'commander';
import type { Entry, Target } from '../../record/index.ts';
import {
  excludeEntries,
  includeEntries,
  openSession,
  pinEntries,
  unpinEntries,
} from '../../session/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseTarget } from '../parse-option.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

interface PinOptions extends GlobalOptions {
  remove?: boolean;
  exclude?: boolean;
}

export function addPinCommand(program: Command): void {
  program
    .command('pin')
    .description(
      'Keep entries in the context word for word, through every compaction. Without entries, list the pins.',
    )
    .argument('<session>', SESSION_ARGUMENT)
    .argument('[entries...]', 'numbers, ranges (12-15) or ids of entries')
    .option('--remove', 'take the pin, or the exclusion, off again')
    .addOption(new Option('--exclude', 'leave the entries out of the context instead; the log keeps them'))
    .addHelpText(
      'after',
      helpExamples(
        ['throughline pin 1 12', 'entry 12 stays word for word'],
        ['throughline pin 1 20-24 --exclude', 'the model does not see these any more'],
        ['throughline pin 1', 'what is pinned and what is left out'],
      ),
    )
    .action(async (reference: string, entries: string[], _: unknown, command: Command) => {
      const { json, remove, exclude, ...options } = command.optsWithGlobals<PinOptions>();
      const targets = entries.map(parseTarget);
      await withStore({ ...options, ...(json && { json }) }, async ({ store, find }) => {
        const info = await find(reference);
        await using session = await openSession(store, info.id, { mode: 'join' });
        const marks =
          targets.length > 0 ? await choose(remove === true, exclude === true)(session, ...targets) : [];
        const { pinned, excluded } = (await session.refresh()).state;
        if (json) return printJson({ session: info.id, pinned, excluded });
        await printLines([
          ...describe('pinned', pinned),
          ...describe('left out', excluded),
          ...sayUndone(marks),
        ]);
      });
    });
}

function choose(remove: boolean, exclude: boolean) {
  if (exclude) return remove ? includeEntries : excludeEntries;
  return remove ? unpinEntries : pinEntries;
}

/** Summaries that say what is to be left out, or leave out what is to be said, are undone with it. */
function sayUndone(marks: readonly Entry[]): string[] {
  const undone = marks.filter(({ body }) => body.kind === 'mark' && body.mark === 'removed').length;
  if (undone === 0) return [];
  const what = undone === 1 ? '1 summary that covers this is' : `${undone} summaries that cover this are`;
  return [`${what} undone: the model sees the originals until the next compaction.`];
}

function describe(what: string, targets: readonly Target[]): string[] {
  if (targets.length === 0) return [`Nothing is ${what}.`];
  return targets.map((target) => `${what}: ${'entry' in target ? target.entry : rangeText(target)}`);
}

function rangeText({ from, to }: { from: number; to: number }): string {
  return from === to ? `entry ${from}` : `entries ${from}–${to}`;
}
