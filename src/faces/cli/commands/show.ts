import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { isThroughlineError } from '../../../errors.ts';
import { type App, perform, printedBy } from '../../../operations/index.ts';
import type { showLog } from '../../../operations/session/index.ts';
import type { EntryId, Seq, SessionInfo } from '../../../record/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseCount, parsePosition } from '../parse-option.ts';
import { type LogPage, type PrintedLog, printLog, printLogAsJson } from '../print-log.ts';
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
      await withStore(options, async ({ app, find }) =>
        run(app, await find(reference, { trashed: true }), options),
      );
    });
}

async function run(app: App, session: SessionInfo, options: ShowOptions): Promise<void> {
  const { after, upTo, json, full = false } = options;
  const entry = options.entry ?? options.at;
  const around = options.at === undefined ? 0 : AROUND;
  const asked = { sessionId: session.id, entry, around, after, upTo, limit: limitOf(options), full };
  const { showLog: verb } = await import('../../../operations/session/index.ts');
  const pages = readPages(app, verb, asked);
  try {
    await (json
      ? printLogAsJson(printed(verb, pages))
      : printLog(session, pages, { full, marked: options.at !== undefined }));
  } catch (error) {
    if (!json && isThroughlineError(error, 'entry-unreadable')) {
      note(dimNote(`What follows it: throughline show ${session.id} --after ${error.details.seq}`));
    }
    throw error;
  }
}

function limitOf({ limit, all, json, after, upTo }: ShowOptions): number | undefined {
  const ranged = after !== undefined || upTo !== undefined;
  return limit ?? (all || json || ranged || !process.stdout.isTTY ? undefined : ON_A_SCREEN);
}

/** A huge session never sits in memory: each page is read when the one before it is printed. */
async function* readPages(
  app: App,
  verb: typeof showLog,
  asked: z.input<typeof showLog.params>,
): AsyncGenerator<LogPage> {
  let page = await perform(verb, asked, app);
  yield page;
  const { sessionId, full } = asked;
  while (page.next !== null) {
    page = await perform(verb, { sessionId, full, after: page.next, upTo: page.upTo }, app);
    yield page;
  }
}

async function* printed(verb: typeof showLog, pages: AsyncIterable<LogPage>): AsyncGenerator<PrintedLog> {
  for await (const page of pages) yield printedBy(verb, 'show', page) as PrintedLog;
}
