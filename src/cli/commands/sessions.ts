import { type Command, Option } from 'commander';
import type { SessionInfo } from '../../record/index.ts';
import { describeSession, nameFits } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { helpExamples, PROJECT_OPTION } from '../help-text.ts';
import { keepLastList } from '../last-list.ts';
import { listSessions, type SessionFilter } from '../list-sessions.ts';
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
    .addOption(new Option('-a, --all', 'list all of them').conflicts('limit'))
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

async function run({ store, choice, find }: Workplace, options: SessionsOptions): Promise<void> {
  if (typeof options.tree === 'string') {
    const session = await find(options.tree, { trashed: true });
    return showTrees(store, [session], { ...options, location: choice.location });
  }
  const filter = await filterOf(store, options);
  const listing = listSessions(store, filter, limitOf(options));
  if (options.tree) {
    await showTrees(store, listing.sessions, { ...options, location: choice.location });
    if (listing.cursor() && !options.json) note(dimNote('Only the families of the newest; --all shows all.'));
  } else if (options.json) {
    await printJsonList(mapped(listing.sessions, describeSession));
    // The array is a contract and has no room for it.
    if (listing.cursor()) note(toJson({ cursor: listing.cursor() }));
  } else {
    const sessions: SessionInfo[] = [];
    for await (const session of listing.sessions) sessions.push(session);
    const ids = sessions.map(({ id }) => id);
    const numbered = choice.exists && keepLastList(choice.location, ids);
    const lines = sessions.map((session) => ({ session }));
    if (lines.length > 0) await printLines(renderSessionTable(lines, { numbered }));
    const hidden = await sayHidden(store, filter, { shown: sessions.length, cursor: listing.cursor() });
    for (const line of hidden) note(dimNote(line));
  }
}

function limitOf({ all, limit, json }: SessionsOptions): number {
  if (all) return Number.POSITIVE_INFINITY;
  return limit ?? (json ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT);
}

async function filterOf(
  store: Store,
  { project, find, tag, agent, hidden, trashed, cursor }: SessionsOptions,
): Promise<SessionFilter> {
  const isOf = project === undefined ? () => true : await sessionsIn(store, project);
  const isCalled = find === undefined ? () => true : nameFits(find);
  const isNarrow = project !== undefined || find !== undefined;
  return {
    place: trashed ? 'trashed' : hidden ? 'archived' : 'active',
    ...(project !== undefined && { project }),
    ...(find !== undefined && { find }),
    ...(isNarrow && { fits: (info: SessionInfo) => isCalled(info) && isOf(info) }),
    ...(tag !== undefined && { tag }),
    ...(agent !== undefined && { agent }),
    ...(cursor !== undefined && { cursor }),
  };
}

async function sessionsIn(store: Store, project: string): Promise<(info: SessionInfo) => boolean> {
  const { ofProject } = await import('../../memory/index.ts');
  return ofProject(store, project);
}

async function* mapped<T, U>(items: AsyncIterable<T>, of: (item: T) => U): AsyncGenerator<U> {
  for await (const item of items) yield of(item);
}
