import { type Command, Option } from 'commander';
import { printedBy, type SessionRecord } from '../../../operations/index.ts';
import { listSessionsOperation } from '../../../operations/session/index.ts';
import { helpExamples, PROJECT_OPTION } from '../help-text.ts';
import { keepLastList } from '../last-list.ts';
import { type Listing, pageThrough, type SessionFilter } from '../page-through.ts';
import { parseCount } from '../parse-option.ts';
import { renderSessionTable } from '../render/session-table.ts';
import { sayHidden } from '../say-hidden.ts';
import { showTrees } from '../show-trees.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJsonList, printLines, toJson } from '../terminal/print.ts';
import { type GlobalOptions, type Workplace, withStore } from '../with-store.ts';

interface SessionsOptions extends GlobalOptions {
  limit?: number;
  all?: boolean;
  project?: string;
  find?: string;
  tag?: string;
  agent?: string;
  hidden?: boolean;
  trashed?: boolean;
  cursor?: string;
  tree?: string | true;
}

const DEFAULT_LIMIT = 20;

export function addSessionsCommand(program: Command): void {
  program
    .command('sessions')
    .description('List sessions, newest first. Their numbers can be used in the next command.')
    .option(
      '-n, --limit <count>',
      `how many to list (default: ${DEFAULT_LIMIT}; all with --json)`,
      parseCount,
    )
    .addOption(
      new Option('-a, --all', 'list all of them, also those in which nothing was said').conflicts('limit'),
    )
    .option('--project <project>', PROJECT_OPTION)
    .option('--find <words>', 'only sessions with these words in the title or in a tag')
    .option('--tag <tag>', 'only sessions with this tag')
    .option('--agent <agent>', 'only sessions of this agent')
    .addOption(new Option('--hidden', 'list the hidden ones').conflicts('trashed'))
    .option('--trashed', 'list the trash')
    .option('--cursor <cursor>', 'go on where an earlier list ended')
    .option(
      '--tree [session]',
      'show what was forked and resumed from what, for one session or for all listed',
    )
    .addHelpText(
      'after',
      helpExamples(
        ['throughline sessions', 'the newest 20'],
        ['throughline sessions --tag auth --all', 'everything tagged "auth"'],
        ['throughline sessions --find login', 'called so, or tagged so'],
        ['throughline sessions --tree 3', 'the family of number 3'],
        ['throughline sessions --json | jq -r ".[].id"', 'every id, for a script'],
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<SessionsOptions>();
      await withStore(options, (workplace) => run(workplace, options));
    });
}

async function run({ app, choice, find }: Workplace, options: SessionsOptions): Promise<void> {
  if (typeof options.tree === 'string') {
    const session = await find(options.tree, { trashed: true });
    return showTrees(app, [session], { ...options, location: choice.location });
  }
  const filter = filterOf(options);
  const { pages, cursor } = pageThrough(app, filter, limitOf(options));
  if (options.json && !options.tree) {
    await printJsonList(printed(pages));
    // The array is a contract and has no room for it.
    if (cursor()) note(toJson({ cursor: cursor() }));
    return;
  }
  const sessions: SessionRecord[] = [];
  for await (const page of pages) sessions.push(...page.sessions);
  if (options.tree) {
    await showTrees(app, sessions, { ...options, location: choice.location });
    if (cursor() && !options.json) note(dimNote('Only the families of the newest; --all shows all.'));
    return;
  }
  const ids = sessions.map(({ id }) => id);
  const numbered = choice.exists && keepLastList(choice.location, ids);
  const lines = sessions.map((session) => ({ session }));
  if (lines.length > 0) await printLines(renderSessionTable(lines, { numbered }));
  const hidden = await sayHidden(app, filter, { shown: sessions.length, cursor: cursor() });
  for (const line of hidden) note(dimNote(line));
}

async function* printed(pages: Listing['pages']): AsyncGenerator<unknown> {
  for await (const page of pages) yield* printedBy(listSessionsOperation, 'sessions', page) as unknown[];
}

function limitOf({ all, limit, json }: SessionsOptions): number {
  if (all) return Number.POSITIVE_INFINITY;
  return limit ?? (json ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT);
}

function filterOf(options: SessionsOptions): SessionFilter {
  const { project, find, tag, agent, hidden, trashed, cursor, all, json } = options;
  const isNarrowed = [project, find, tag, agent].some((given) => given !== undefined);
  return {
    place: trashed ? 'trashed' : hidden ? 'archived' : 'active',
    // A script and a person who looks for something get every session.
    ...(![all, json, trashed, hidden, isNarrowed].some(Boolean) && { spoken: true }),
    ...(project !== undefined && { project }),
    ...(find !== undefined && { find }),
    ...(tag !== undefined && { tag }),
    ...(agent !== undefined && { agent }),
    ...(cursor !== undefined && { cursor }),
  };
}
