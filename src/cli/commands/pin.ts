import { type Command, Option } from 'commander';
import type { Entry, SeqRange, SessionId, Target } from '../../record/index.ts';
import {
  excludeEntries,
  includeEntries,
  openSession,
  pinEntries,
  unpinEntries,
} from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseTarget } from '../parse-option.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { usageError } from '../usage-error.ts';
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
        if (!remove) for (const target of targets) await checkSent(store, info.id, target);
        const marks =
          targets.length > 0 ? await choose(remove === true, exclude === true)(session, ...targets) : [];
        const { pinned, excluded } = (await session.refresh()).state;
        if (json) return printJson({ session: info.id, pinned, excluded });
        await printLines([
          ...describe('pinned', pinned),
          ...describe('left out', excluded),
          ...sayHidden(await overlaps(store, info.id, { pinned, excluded })),
          ...sayUndone(marks),
        ]);
      });
    });
}

function choose(remove: boolean, exclude: boolean) {
  if (exclude) return remove ? includeEntries : excludeEntries;
  return remove ? unpinEntries : pinEntries;
}

const SENT: ReadonlySet<Entry['body']['kind']> = new Set(['message', 'compaction', 'merge', 'restoration']);

/** A mark on what is never sent would stand in the list and do nothing. What is not there at all, marking refuses. */
async function checkSent(store: Store, id: SessionId, target: Target): Promise<void> {
  const entries = await entriesAt(store, id, target);
  if (entries.length === 0 || entries.some(({ body }) => SENT.has(body.kind))) return;
  const what =
    entries.length === 1
      ? `Entry ${entries[0]!.seq} is a ${entries[0]!.body.kind}`
      : `No message is in ${'entry' in target ? target.entry : rangeText(target)}`;
  throw usageError(`${what}, and only messages are sent to the model: there is nothing to pin or leave out.`);
}

async function entriesAt(store: Store, id: SessionId, target: Target): Promise<readonly Entry[]> {
  if ('entry' in target) return [await store.entry(id, target.entry)].filter((entry) => entry !== undefined);
  const { from, to } = target;
  const [said] = await store.read(id, { after: from - 1, upTo: to, only: 'messages', limit: 1 });
  return said ? [said] : store.read(id, { after: from - 1, upTo: to });
}

async function overlaps(
  store: Store,
  id: SessionId,
  { pinned, excluded }: { pinned: readonly Target[]; excluded: readonly Target[] },
): Promise<SeqRange[]> {
  const ranges = async (targets: readonly Target[]): Promise<SeqRange[]> => {
    const found = targets.map(async (target) =>
      'entry' in target
        ? (await entriesAt(store, id, target)).map(({ seq }) => ({ from: seq, to: seq }))
        : [target],
    );
    return (await Promise.all(found)).flat();
  };
  const hidden = await ranges(excluded);
  return (await ranges(pinned)).flatMap((pin) =>
    hidden
      .map(({ from, to }) => ({ from: Math.max(from, pin.from), to: Math.min(to, pin.to) }))
      .filter(({ from, to }) => from <= to),
  );
}

function sayHidden(both: readonly SeqRange[]): string[] {
  if (both.length === 0) return [];
  const which = [...new Set(both.map(rangeText))].join(', ');
  return [
    `Both pinned and left out, so the model does not see it: ${which}. --exclude --remove brings it back.`,
  ];
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
