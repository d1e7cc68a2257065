import { type Command, Option } from 'commander';
import { type OperationResult, OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
import type { exportTranscript } from '../../../operations/transcript/index.ts';
import type { SeqRange, SessionId } from '../../../record/index.ts';
import type { Store } from '../../../store/index.ts';
import { sayCount } from '../../../text/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseRange } from '../parse-option.ts';
import { staySmall } from '../stay-small.ts';
import { cyan, dim, dimNote } from '../terminal/paint.ts';
import { note, print, printJson, printLines } from '../terminal/print.ts';
import { sayBytes } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

interface ExportCommandOptions extends GlobalOptions {
  format?: string;
  out?: string;
  alone?: boolean;
  chain?: boolean;
  tools?: boolean;
  range?: SeqRange;
  redact?: boolean;
  force?: boolean;
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description(
      'Write a session as a file: our own, one that another agent opens, or one for people to read.',
    )
    .argument('<session>', SESSION_ARGUMENT)
    .option(
      '--format <format>',
      'throughline, claude-code, pi, codex, markdown, html, dagent or army (default: throughline)',
    )
    .option('-o, --out <path>', 'the file, or a folder to put it in (default: print it)')
    .option('--alone', 'only this line of conversation, without its forks and what it was forked from')
    .addOption(
      new Option(
        '--chain',
        'markdown: with all that led to it, what it was resumed or forked from, as one document',
      ).conflicts('alone'),
    )
    .option('--tools', 'markdown and html: show tool calls and their results')
    .option('--range <from-to>', 'markdown and html: only these entries, by number: 12-40', parseRange)
    .option('--redact', 'take secrets out; the session keeps them')
    .option('--force', 'overwrite files that are there')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline export 1 --out backup/', 'everything, to the byte; import --trust brings it back'],
        ['throughline export 1 --format markdown', 'to read it'],
        ['throughline export 1 --format html --redact -o talk.html', 'to show it to somebody'],
        ['throughline export 1 --chain', 'to read it from the very beginning'],
        ['throughline export 1 --format pi -o .', 'to go on with it in pi'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      staySmall();
      const options = command.optsWithGlobals<ExportCommandOptions>();
      if (options.json && options.out === undefined)
        throw usageError('With --json it says what was written, so it needs --out.');
      await withStore(options, async ({ store, find }) => {
        const { id } = await find(reference, { trashed: true });
        await run(store, id, options);
      });
    });
}

async function run(
  store: Store,
  session: SessionId,
  { json, format, out, range, ...options }: ExportCommandOptions,
): Promise<void> {
  const { exportTranscript } = await import('../../../operations/transcript/index.ts');
  const { alone = false, chain = false, tools = false, redact = false, force = false } = options;
  const exported = await perform(
    exportTranscript,
    {
      session,
      ...{ alone, chain, tools, redact, force },
      ...(format !== undefined && { format }),
      ...(out !== undefined && { out }),
      ...(range && { range }),
    },
    { ...OWN_MACHINE, store, onText: print },
  );
  if (json) return printJson(printedBy(exportTranscript, 'export', exported));
  await printLines(renderExport(exported));
  const { leftOut } = exported;
  if (exported.pieces === 0)
    note(`Nothing was written: nothing was said in ${session} that a file of ${exported.format} could hold.`);
  const count = Object.values(leftOut).reduce((sum, one) => sum + one, 0);
  if (count > 0)
    note(
      dimNote(`${sayCount(count, 'entry', 'entries')} had no place in this format (${sayKinds(leftOut)}).`),
    );
  for (const line of chainNotes(exported)) note(dimNote(line));
}

function sayKinds(leftOut: Readonly<Record<string, number>>): string {
  return Object.entries(leftOut)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

type Exported = OperationResult<typeof exportTranscript>;

function renderExport({ files }: Pick<Exported, 'files'>): string[] {
  return files.map(({ path, bytes }) => `${cyan(visibleLine(path))}  ${dim(sayBytes(bytes))}`);
}

/** The parts of a chain that are not in the document, for people. */
function chainNotes({ chain = [], missing }: Pick<Exported, 'chain' | 'missing'>): string[] {
  const later = chain.flatMap(({ id, later: count }) =>
    count === 0 ? [] : [`${sayCount(count, 'message')} of ${id} came later and led elsewhere.`],
  );
  const above = missing === undefined ? [] : [`It began in ${missing}, which is not here any more.`];
  return [...above, ...later];
}
