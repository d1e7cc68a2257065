import type { Command } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
import { sayTitle } from '../../../text/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { cyan } from '../terminal/paint.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

export function addTitleCommand(program: Command): void {
  program
    .command('title')
    .description('Give a session a title. It stays until you change it; an empty one takes it off again.')
    .argument('<session>', SESSION_ARGUMENT)
    .argument('<title...>', 'the title; words need no quotes')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline title 1 Refactor auth', 'call it "Refactor auth"'],
        ['throughline title 1 ""', 'call it by its first question again'],
      ),
    )
    .action(async (reference: string, words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, async ({ app, find }) => {
        const { updateSession } = await import('../../../operations/session/index.ts');
        const { id: sessionId } = await find(reference);
        const titled = await perform(updateSession, { sessionId, title: words.join(' ').trim() }, app);
        if (options.json) return printJson(printedBy(updateSession, 'title', titled));
        const { id, title } = titled.session;
        await printLines([`${cyan(id)}  ${visibleLine(sayTitle(title))}`]);
      });
    });
}
