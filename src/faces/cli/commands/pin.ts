import { type Command, Option } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
import type { SeqRange, Target } from '../../../record/index.ts';
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
    .argument('[entries...]', 'numbers, ranges (12-15) or ids of entries, or "last" for the last turn')
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
      const targets = entries.includes('last') ? ('last-turn' as const) : entries.map(parseTarget);
      await withStore({ ...options, ...(json && { json }) }, async ({ app, find }) => {
        const { markEntriesOperation: markEntries } = await import('../../../operations/message/index.ts');
        const { id: sessionId } = await find(reference);
        const mark = MARKS[exclude ? 'exclude' : 'pin'][remove ? 'remove' : 'add'];
        const marked = await perform(markEntries, { sessionId, mark, targets }, app);
        if (json) return printJson(printedBy(markEntries, 'pin', marked));
        const looks = targets.length === 0;
        await printLines([
          ...describe('pinned', marked.pinned, { isAsked: looks || !exclude }),
          ...describe('left out', marked.excluded, { isAsked: looks || exclude === true }),
          ...sayHidden(marked.hidden),
          ...sayUndone(marked.undone),
        ]);
      });
    });
}

const MARKS = {
  pin: { add: 'pinned', remove: 'unpinned' },
  exclude: { add: 'excluded', remove: 'included' },
} as const;

function sayHidden(both: readonly SeqRange[]): string[] {
  if (both.length === 0) return [];
  const which = [...new Set(both.map(rangeText))].join(', ');
  return [
    `Both pinned and left out, so the model does not see it: ${which}. --exclude --remove brings it back.`,
  ];
}

function sayUndone(undone: number): string[] {
  if (undone === 0) return [];
  const what = undone === 1 ? '1 summary that covers this is' : `${undone} summaries that cover this are`;
  return [`${what} undone: the model sees the originals until the next compaction.`];
}

/** An empty list is worth a line only if the command was about it. */
function describe(
  what: string,
  targets: readonly Target[],
  { isAsked }: { readonly isAsked: boolean },
): string[] {
  if (targets.length === 0) return isAsked ? [`Nothing is ${what}.`] : [];
  return targets.map((target) => `${what}: ${'entry' in target ? target.entry : rangeText(target)}`);
}

function rangeText({ from, to }: { from: number; to: number }): string {
  return from === to ? `entry ${from}` : `entries ${from}–${to}`;
}
