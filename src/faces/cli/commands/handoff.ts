import { type Command, Option } from 'commander';
import { OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
import type { SessionId } from '../../../record/index.ts';
import type { Store } from '../../../store/index.ts';
import type { HandoffAgent } from '../../../transcripts/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { renderHandoff } from '../render/render-handoff.ts';
import { staySmall } from '../stay-small.ts';
import { dimNote, redNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

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
        await run(store, (await find(reference)).id, options);
      });
    });
}

async function run(
  store: Store,
  session: SessionId,
  { to, folder, briefing = true, json }: HandoffOptions,
): Promise<void> {
  const { handOver } = await import('../../../operations/transcript/index.ts');
  const handoff = await perform(
    handOver,
    { session, to, briefing, here: process.cwd(), ...(folder !== undefined && { folder }) },
    { ...OWN_MACHINE, store },
  );
  if (json) return printJson(printedBy(handOver, 'handoff', handoff));
  await printLines(renderHandoff(handoff));
  const { original, projectExists } = handoff;
  if (original !== undefined)
    note(
      dimNote(
        `It has a name of its own: ${visibleText(original)}, which the session came from, is left as it is.`,
      ),
    );
  if (!projectExists) note(`${redNote('Warning:')} ${visibleText(sayGone(handoff))}`);
}

function sayGone({ project, session, to }: { project: string; session: string; to: string }): string {
  return `The folder of this session is not on this machine: ${project}. Make it before you go on, or name another: throughline handoff ${session} --to ${to} --folder <path>`;
}
