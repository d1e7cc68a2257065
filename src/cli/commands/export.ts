import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { SeqRange, SessionInfo } from '../../record/index.ts';
import type { Redactor } from '../../secrets/index.ts';
import { mirrorFile } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { ExportOptions, OutgoingEntry, Written } from '../../transcripts/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseRange } from '../parse-option.ts';
import { chainNotes, describeChain } from '../render/render-chain.ts';
import { renderExport } from '../render/render-export.ts';
import { staySmall } from '../stay-small.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, print, printJson, printLines } from '../terminal/print.ts';
import { sayCount } from '../terminal/say.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';
import { writeFiles } from '../write-files.ts';

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

/** Formats of which a part is still something. */
const FOR_PEOPLE = new Set<string>(['markdown', 'html']);

/** Formats that are several files. */
const FOLDERS = new Set(['army', 'dagent']);

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
        ['throughline export 1 --out backup/', 'everything, to the byte; import brings it back'],
        ['throughline export 1 --format markdown', 'to read it'],
        ['throughline export 1 --format html --redact -o talk.html', 'to show it to somebody'],
        ['throughline export 1 --chain', 'to read it from the very beginning'],
        ['throughline export 1 --format pi -o .', 'to go on with it in pi'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      staySmall();
      const options = command.optsWithGlobals<ExportCommandOptions>();
      const { WRITABLE } = await import('../../transcripts/index.ts');
      const named = options.format ?? (options.chain ? 'markdown' : 'throughline');
      const formats = [...WRITABLE, 'html' as const];
      const format = formats.find((name) => name === named);
      if (!format) throw usageError(`No format "${named}" to write. There are: ${formats.join(', ')}.`);
      if (options.range && (options.chain || !FOR_PEOPLE.has(format)))
        throw usageError('A range is for markdown and html: what another program opens has to be whole.');
      if (options.chain && format !== 'markdown')
        throw usageError(`A chain is for people to read: "${format}" has no form for it, markdown has.`);
      if (options.out === undefined && (options.json || FOLDERS.has(format)))
        throw usageError(
          options.json
            ? 'With --json it says what was written, so it needs --out.'
            : `"${format}" is several files: say with --out which folder they go to.`,
        );
      await withStore(options, async ({ store, choice, find }) => {
        const session = await find(reference, { trashed: true });
        const previous = previousOf(session, choice.location);
        await run(store, session, { ...options, format, ...(previous && { previousSession: previous }) });
      });
    });
}

async function run(
  store: Store,
  session: SessionInfo,
  {
    format,
    out,
    alone = false,
    chain: chained = false,
    tools = false,
    range,
    redact = false,
    force = false,
    json,
    previousSession,
  }: ExportCommandOptions & Pick<ExportOptions, 'format' | 'previousSession'>,
): Promise<void> {
  const { exportSession, readChain, writeChain } = await import('../../transcripts/index.ts');
  const leftOut: Record<string, number> = {};
  const options = {
    tools,
    onLeftOut: ({ body }: OutgoingEntry) => {
      leftOut[body.kind] = (leftOut[body.kind] ?? 0) + 1;
    },
  };
  const chain = chained ? await readChain(store, session) : undefined;
  const redactor = redact ? (await import('../../secrets/index.ts')).createRedactor() : undefined;
  const written = chain
    ? redacted(writeChain(store, chain, options), redactor)
    : exportSession(store, session, {
        ...options,
        format,
        alone,
        ...(range && { range }),
        ...(redactor && { redact: (text: string) => redactor.text(text) }),
        ...(previousSession !== undefined && { previousSession }),
      });
  let pieces = 0;
  const counted = async function* () {
    for await (const piece of written) {
      pieces++;
      yield piece;
    }
  };
  if (out === undefined) for await (const { text } of counted()) await print(text);
  else {
    const files = await writeFiles(counted(), { out, force, several: FOLDERS.has(format) });
    if (json)
      await printJson({
        session: session.id,
        format,
        files,
        leftOut,
        ...(redactor && { secrets: redactor.count }),
        ...(chain && describeChain(chain)),
      });
    else await printLines(renderExport(files));
  }
  if (json) return;
  if (pieces === 0)
    note(`Nothing was written: nothing was said in ${session.id} that a file of ${format} could hold.`);
  const count = Object.values(leftOut).reduce((sum, one) => sum + one, 0);
  if (count > 0)
    note(
      dimNote(`${sayCount(count, 'entry', 'entries')} had no place in this format (${sayKinds(leftOut)}).`),
    );
  for (const line of chain ? chainNotes(chain) : []) note(dimNote(line));
}

async function* redacted(
  pieces: AsyncIterable<Written>,
  redactor: Redactor | undefined,
): AsyncGenerator<Written> {
  for await (const piece of pieces)
    yield redactor ? { ...piece, text: await redactor.text(piece.text) } : piece;
}

/** Where the transcript of the session that this one was resumed from lies, if the chat wrote one. */
function previousOf({ parent }: SessionInfo, location: string): string | undefined {
  if (parent?.relation !== 'resume') return undefined;
  const file = mirrorFile(location, parent.session);
  return existsSync(file) ? file : undefined;
}

function sayKinds(leftOut: Readonly<Record<string, number>>): string {
  return Object.entries(leftOut)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}
