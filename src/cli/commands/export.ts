import type { Command } from 'commander';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { ExportOptions } from '../../transcripts/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { renderExport } from '../render/render-export.ts';
import { staySmall } from '../stay-small.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, print, printJson, printLines } from '../terminal/print.ts';
import { sayCount } from '../terminal/say.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';
import { writeFiles } from '../write-files.ts';

interface ExportCommandOptions extends GlobalOptions {
  format: string;
  out?: string;
  alone?: boolean;
  tools?: boolean;
  force?: boolean;
}

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
      'throughline, claude-code, pi, codex, markdown, dagent or army',
      'throughline',
    )
    .option('-o, --out <path>', 'the file, or a folder to put it in (default: print it)')
    .option('--alone', 'only this line of conversation, without its forks and what it was forked from')
    .option('--tools', 'markdown: show tool calls and their results')
    .option('--force', 'overwrite files that are there')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline export 1 --out backup/', 'everything, to the byte; import brings it back'],
        ['throughline export 1 --format markdown', 'to read it'],
        ['throughline export 1 --format pi -o .', 'to go on with it in pi'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      staySmall();
      const options = command.optsWithGlobals<ExportCommandOptions>();
      const { WRITABLE } = await import('../../transcripts/index.ts');
      const format = WRITABLE.find((name) => name === options.format);
      if (!format)
        throw usageError(`No format "${options.format}" to write. There are: ${WRITABLE.join(', ')}.`);
      if (options.out === undefined && (options.json || FOLDERS.has(format)))
        throw usageError(
          options.json
            ? 'With --json it says what was written, so it needs --out.'
            : `"${format}" is several files: say with --out which folder they go to.`,
        );
      await withStore(options, async ({ store, find }) => {
        const session = await find(reference, { trashed: true });
        await run(store, session, { ...options, format });
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
    tools = false,
    force = false,
    json,
  }: ExportCommandOptions & Pick<ExportOptions, 'format'>,
): Promise<void> {
  const { exportSession } = await import('../../transcripts/index.ts');
  const leftOut: Record<string, number> = {};
  const written = exportSession(store, session, {
    format,
    alone,
    tools,
    onLeftOut: ({ body }) => {
      leftOut[body.kind] = (leftOut[body.kind] ?? 0) + 1;
    },
  });
  if (out === undefined) for await (const { text } of written) await print(text);
  else {
    const files = await writeFiles(written, { out, force, several: FOLDERS.has(format) });
    if (json) await printJson({ session: session.id, format, files, leftOut });
    else await printLines(renderExport(files));
  }
  const count = Object.values(leftOut).reduce((sum, one) => sum + one, 0);
  if (count > 0 && !json)
    note(
      dimNote(`${sayCount(count, 'entry', 'entries')} had no place in this format (${sayKinds(leftOut)}).`),
    );
}

function sayKinds(leftOut: Readonly<Record<string, number>>): string {
  return Object.entries(leftOut)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}
