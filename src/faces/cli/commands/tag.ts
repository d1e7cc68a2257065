import type { Command } from 'commander';
import { isThroughlineError } from '../../../errors.ts';
import { perform, printedBy, type SessionRecord } from '../../../operations/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseWords } from '../parse-option.ts';
import { cyan, dim } from '../terminal/paint.ts';
import { printJsonList, printLines } from '../terminal/print.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, type Workplace, withStore } from '../with-store.ts';

interface TagOptions extends GlobalOptions {
  add?: string[];
  remove?: string[];
}

export function addTagCommand(program: Command): void {
  program
    .command('tag')
    .description('Add tags to sessions, take tags off, or list the tags they have.')
    .argument('<session...>', SESSION_ARGUMENT)
    .option('-a, --add <tags>', 'tags to add, with commas between them', parseWords)
    .option('-r, --remove <tags>', 'tags to take off, with commas between them', parseWords)
    .addHelpText(
      'after',
      helpExamples(
        ['throughline tag 1 2 3 --add auth,urgent', 'tag three sessions of the last list'],
        ['throughline tag 1 --add done --remove urgent', 'both at once'],
        ['throughline tag 1', 'the tags it has'],
      ),
    )
    .action(async (references: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<TagOptions>();
      await withStore(options, (workplace) => run(workplace, references, options));
    });
}

async function run(
  { app, findAll }: Workplace,
  references: readonly string[],
  { json, add = [], remove = [] }: TagOptions,
): Promise<void> {
  const both = add.filter((tag) => remove.includes(tag));
  if (both.length > 0) throw usageError(`"${both[0]}" cannot be added and removed at once.`);
  const onlyNames = add.length === 0 && remove.length === 0;
  const sessions = await findAll(references, { own: !onlyNames }).catch((error: unknown) => {
    const [session, ...words] = references;
    const areNumbers = words.every((word) => /^\d+$/.test(word));
    if (!onlyNames || areNumbers || !isThroughlineError(error, 'session-not-found')) throw error;
    throw usageError(
      `${error.message} To add tags, write "throughline tag ${session} --add ${words.join(',')}".`,
    );
  });
  const { updateSession } = await import('../../../operations/session/index.ts');
  const tagged = [];
  for (const { id: sessionId } of sessions)
    tagged.push(await perform(updateSession, { sessionId, addTags: add, removeTags: remove }, app));
  if (json) return printJsonList(tagged.map((one) => printedBy(updateSession, 'tag', one)));
  await printLines(renderTags(tagged.map(({ session }) => session)));
}

/** One line per session: its id and its tags. */
function renderTags(sessions: readonly Pick<SessionRecord, 'id' | 'tags'>[]): string[] {
  const width = Math.max(0, ...sessions.map(({ id }) => id.length));
  return sessions.map(({ id, tags }) => {
    const names = tags.map(visibleLine).join(', ');
    return `${cyan(id.padEnd(width))}  ${names || dim('(no tags)')}`;
  });
}
