import type { Command } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
import type { EntryId, Seq, SessionId } from '../../../record/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parsePosition } from '../parse-option.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

interface ForkCommandOptions extends GlobalOptions {
  at?: Seq | EntryId;
  id?: SessionId;
  title?: string;
}

export function addForkCommand(program: Command): void {
  program
    .command('fork')
    .description('Start a new session that shares another one up to an entry. Nothing is copied or changed.')
    .argument('<session>', SESSION_ARGUMENT)
    .option('--at <entry>', 'the last entry both share, by number or id (default: the newest)', parsePosition)
    .option('--id <id>', 'the id of the new session (default: made from the agent and the time)')
    .option('--title <title>', "a title of its own (default: its parent's)")
    .addHelpText(
      'after',
      helpExamples(
        ['throughline fork 1', 'go on from where the first session of the last list is'],
        ['throughline fork 1 --at 40 --title "Plan B"', 'try something else after entry 40'],
        ['id=$(throughline fork 1)', 'only the new id is printed to stdout'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      const { json, at, id, title, ...options } = command.optsWithGlobals<ForkCommandOptions>();
      await withStore({ ...options, ...(json && { json }) }, async ({ app, find }) => {
        const { forkSessionOperation: forkSession } = await import('../../../operations/session/index.ts');
        const parent = await find(reference);
        const fork = await perform(forkSession, { sessionId: parent.id, at, id, title }, app);
        if (json) return printJson(printedBy(forkSession, 'fork', fork));
        await printLines([fork.id]);
        note(dimNote(`Forked from ${parent.id} at entry ${fork.forkedAt} of ${parent.head}.`));
        note(dimNote(`Look at it with: throughline show ${fork.id}`));
      });
    });
}
