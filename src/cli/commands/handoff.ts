import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { HandoffAgent } from '../../transcripts/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { renderHandoff } from '../render/render-handoff.ts';
import { staySmall } from '../stay-small.ts';
import { dimNote, redNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';
import { writeFiles } from '../write-files.ts';

interface HandoffOptions extends GlobalOptions {
  to: HandoffAgent;
  folder?: string;
  briefing?: boolean;
}

export function addHandoffCommand(program: Command): void {
  program
    .command('handoff')
    .description(
      'Hand a session over to another agent: the file is put where that agent looks, and the command to go on is printed. Nothing is overwritten.',
    )
    .argument('<session>', SESSION_ARGUMENT)
    .addOption(
      new Option('--to <agent>', 'who goes on').choices(['pi', 'claude-code', 'codex']).makeOptionMandatory(),
    )
    .option('--folder <path>', 'the folder to go on in (default: the project of the session, or this one)')
    .option(
      '--no-briefing',
      'only what was said, without goal, open items, decisions and pointers at its end',
    )
    .addHelpText(
      'after',
      helpExamples(
        ['throughline handoff 1 --to claude-code', 'go on in Claude Code'],
        ['throughline handoff 1 --to pi --folder .', 'go on in pi, here'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      staySmall();
      const options = command.optsWithGlobals<HandoffOptions>();
      await withStore(options, async ({ store, find }) => {
        await handOver(store, await find(reference), options);
      });
    });
}

async function handOver(
  store: Store,
  session: SessionInfo,
  { to, folder, briefing = true, json }: HandoffOptions,
): Promise<void> {
  const { exportSession, findOriginal, pathForAgent, placeForAgent, renderBriefing } = await import(
    '../../transcripts/index.ts'
  );
  const { gatherBriefing } = await import('../gather-briefing.ts');
  const project = folder !== undefined ? path.resolve(folder) : await placeOf(store, session);
  const place = placeForAgent(to, { project });
  const original = await findOriginal(store, session, { agent: to, folder: place.folder });
  if (original && original.name === undefined)
    throw usageError(
      `${original.file} is there already: the session came from that file, and nothing was said in it here. Go on with "${place.command(original.file)}".`,
    );
  const gathered = await gatherBriefing(store, session);
  const leftOut: Record<string, number> = {};
  const pieces = async function* () {
    const written = exportSession(store, session, {
      format: to,
      ...(original?.name !== undefined && { name: original.name }),
      ...(briefing && { briefing: renderBriefing(gathered) }),
      onLeftOut: ({ body }) => {
        leftOut[body.kind] = (leftOut[body.kind] ?? 0) + 1;
      },
    });
    for await (const { file, text } of written) yield { file: pathForAgent(to, file), text };
  };
  const [written] = await writeFiles(pieces(), {
    out: place.folder,
    force: false,
    several: true,
    taken: (file) =>
      `${file} is there already: the session was handed over before, and is gone on with by "${place.command(file)}". Move that file away to hand it over anew.`,
  });
  if (!written)
    throw usageError(
      `Nothing was written: nothing was said in ${session.id} that a file of ${to} could hold. With its briefing it can be handed over.`,
    );
  const here = existsSync(project);
  const handoff = {
    session: session.id,
    to,
    file: written.path,
    project,
    projectExists: here,
    command: place.command(written.path),
    ...(original && { original: original.file }),
    leftOut,
    briefing: gathered,
  };
  if (json) return printJson(handoff);
  await printLines(renderHandoff(handoff));
  if (original)
    note(
      dimNote(
        `It has a name of its own: ${visibleText(original.file)}, which the session came from, is left as it is.`,
      ),
    );
  if (!here) note(`${redNote('Warning:')} ${visibleText(saysGone(project, handoff))}`);
}

function saysGone(project: string, { session, to }: { session: string; to: HandoffAgent }): string {
  return `The folder of this session is not on this machine: ${project}. Make it before you go on, or name another: throughline handoff ${session} --to ${to} --folder <path>`;
}

/** Where the session's project is now; a session may also name the folder itself, or nothing at all. */
async function placeOf(store: Store, session: SessionInfo): Promise<string> {
  const { project: known } = session.state.settings;
  if (known !== undefined && path.isAbsolute(known)) return known;
  const { folderOf, projectOfSession } = await import('../../memory/index.ts');
  const project = await projectOfSession(store, session);
  return (project && folderOf(project)) ?? process.cwd();
}
