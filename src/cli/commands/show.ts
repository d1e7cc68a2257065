import { type Command, Option } from 'commander';
import { isThroughlineError } from '../../errors.ts';
import type { Entry, EntryId, Seq, SessionInfo } from '../../record/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseCount, parsePosition } from '../parse-option.ts';
import { printLog, printLogAsJson } from '../print-log.ts';
import { entryAt, readLog, seqAt } from '../read-log.ts';
import { dimNote } from '../terminal/paint.ts';
import { note } from '../terminal/print.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

interface ShowOptions extends GlobalOptions {
  limit?: number;
  all?: boolean;
  after?: Seq | EntryId;
  upTo?: Seq | EntryId;
  entry?: Seq | EntryId;
  at?: Seq | EntryId;
  full?: boolean;
}

const ON_A_SCREEN = 20;
/** How many entries before and after the one asked for. */
const AROUND = 5;

export function addShowCommand(program: Command): void {
  program
    .command('show')
    .description('Show what was said in a session, and what was noted about it.')
    .argument('<session>', SESSION_ARGUMENT)
    .option(
      '-n, --limit <count>',
      `only the newest entries (default: ${ON_A_SCREEN} on a terminal, else all)`,
      parseCount,
    )
    .addOption(new Option('-a, --all', 'all entries').conflicts('limit'))
    .option('--after <entry>', 'only entries after this one, by number or id', parsePosition)
    .option('--up-to <entry>', 'only entries up to this one, by number or id', parsePosition)
    .addOption(
      new Option('--entry <entry>', 'only this entry, by number or id')
        .argParser(parsePosition)
        .conflicts(['limit', 'all', 'after', 'upTo']),
    )
    .addOption(
      new Option('--at <entry>', 'this entry and those around it, by number or id')
        .argParser(parsePosition)
        .conflicts(['limit', 'all', 'after', 'upTo', 'entry']),
    )
    .option('--full', 'unfold tool calls and results, with large values in place')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline show 1', 'the end of the first session of the last list'],
        ['throughline show auth --all | less', 'all of the session titled "auth"'],
        ['throughline show 1 --entry 42 --full', 'one entry, whole'],
        ['throughline show 1 --at 42', 'what was said around it'],
        ['throughline show 1 --json | jq ".entries[].kind"', 'for a script'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ShowOptions>();
      await withStore(options, async ({ store, find }) => {
        const session = await find(reference, { trashed: true });
        await run(store, session, options);
      });
    });
}

async function run(store: Store, session: SessionInfo, options: ShowOptions): Promise<void> {
  const { after, upTo, older, at } = await rangeOf(store, session, options);
  const stored = readLog(store, session, { after, upTo });
  const entries = options.full ? whole(store, stored) : stored;
  try {
    await (options.json
      ? printLogAsJson(session, entries)
      : printLog(session, entries, { older, full: options.full ?? false, ...(at && { at }) }));
  } catch (error) {
    if (!options.json && isThroughlineError(error, 'entry-unreadable')) {
      note(dimNote(`What follows it: throughline show ${session.id} --after ${error.details.seq}`));
    }
    throw error;
  }
}

interface Range {
  readonly after: Seq;
  readonly upTo: Seq;
  /** Entries that the limit leaves out before the first one shown. */
  readonly older: number;
  /** The one that was asked for, to be told from those around it. */
  readonly at?: Seq;
}

/** Numbers are dense along a lineage, so the newest n of a range can be had without reading the older ones. */
async function rangeOf(store: Store, session: SessionInfo, options: ShowOptions): Promise<Range> {
  if (options.entry !== undefined) {
    const { seq } = await entryAt(store, session, options.entry);
    return { after: seq - 1, upTo: seq, older: 0 };
  }
  if (options.at !== undefined) {
    const { seq } = await entryAt(store, session, options.at);
    return {
      after: Math.max(0, seq - 1 - AROUND),
      upTo: Math.min(session.head, seq + AROUND),
      older: 0,
      at: seq,
    };
  }
  const start = await seqAt(store, session, options.after ?? 0);
  const upTo = Math.min(session.head, await seqAt(store, session, options.upTo ?? session.head));
  const unlimited = options.all || options.json || !process.stdout.isTTY;
  const ranged = options.after !== undefined || options.upTo !== undefined;
  const limit = options.limit ?? (unlimited || ranged ? Number.POSITIVE_INFINITY : ON_A_SCREEN);
  const after = Math.max(start, upTo - limit);
  return { after, upTo, older: after - start };
}

async function* whole(store: Store, entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    yield { ...entry, body: await wholeBody(entry.body, (hash) => store.blob(hash)) };
  }
}
