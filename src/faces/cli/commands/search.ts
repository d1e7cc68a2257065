import { type Command, Option } from 'commander';
import { createAppOperation, perform, printedBy } from '../../../operations/index.ts';
import { Role } from '../../../record/index.ts';
import { helpExamples, PROJECT_OPTION, SESSION_ARGUMENT } from '../help-text.ts';
import { openChosenIndex } from '../open-index.ts';
import { parseCount, parseWords } from '../parse-option.ts';
import { parseSince, parseUntil } from '../parse-time.ts';
import { MARK, renderFound, sayRest } from '../render/render-hits.ts';
import { type SearchFilters, sayNoHits } from '../say-no-hits.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJsonList, printLines } from '../terminal/print.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, type Workplace, withStore } from '../with-store.ts';

interface SearchCommandOptions extends GlobalOptions {
  session?: string;
  lineage?: string;
  project?: string;
  agent?: string;
  tag?: string;
  role?: string[];
  since?: number;
  until?: number;
  file?: string;
  decision?: boolean;
  hidden?: boolean;
  trashed?: boolean;
  words?: boolean;
  meaning?: boolean;
  embedding?: string;
  limit: number;
}

const LIMIT = 10;

export function addSearchCommand(program: Command): void {
  program
    .command('search')
    .description(
      'Find what was said, in all sessions, by words and by meaning. Compacted or not, originals are found.',
    )
    .argument(
      '[query...]',
      'what to look for; "in quotes" letter for letter, start* for the start of a word; without it, the newest',
    )
    .option('--session <session>', `only what one sees in this session: ${SESSION_ARGUMENT}`)
    .option('--lineage <session>', 'only this session and all that it came from or that came from it')
    .option('--project <project>', PROJECT_OPTION)
    .option('--agent <agent>', 'only sessions of this agent')
    .option('--tag <tag>', 'only sessions with this tag')
    .option('--role <roles>', `only what these said: ${Role.options.join(', ')}`, parseWords)
    .option('--since <time>', 'only from then on: 2025-12-30, "2025-12-30 14:00", today, 12h, 3d', parseSince)
    .option('--until <time>', 'only up to then', parseUntil)
    .option(
      '--file <path>',
      'only messages with a tool call that names this file or folder; the end of the path is enough',
    )
    .option('--decision', 'only messages that state a choice')
    .addOption(new Option('--hidden', 'only in hidden sessions').conflicts('trashed'))
    .option('--trashed', 'only in the trash, which is not searched otherwise')
    .addOption(new Option('--words', 'by words only').conflicts('meaning'))
    .option('--meaning', 'by meaning only')
    .addOption(
      new Option(
        '--embedding <model>',
        "what meaning goes by: minilm, a sentence model in this process, or a provider's embeddings, as in openai:text-embedding-3-small (default: the embedded word table)",
      ).env('THROUGHLINE_EMBEDDING'),
    )
    .option('-n, --limit <count>', 'how many to show', parseCount, LIMIT)
    .addHelpText(
      'after',
      helpExamples(
        ['throughline search where are tokens checked', 'in other words, too'],
        [`throughline search '"exit code 137"' --since 7d`, 'letter for letter, this week'],
        ['throughline search --file src/auth --role assistant', 'what agents did there, newest first'],
        ['throughline search cache --decision --project shop', 'what was decided about it'],
        ['throughline search tokens --json | jq ".[].entry"', 'for a script'],
      ),
    )
    .action(async (words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SearchCommandOptions>();
      await withStore(options, (workplace) => run(workplace, words.join(' '), options));
    });
}

async function run(workplace: Workplace, query: string, options: SearchCommandOptions): Promise<void> {
  const { searchSessions } = await import('../../../operations/search/index.ts');
  const filters = await filtersOf(workplace, options);
  await using index = await openChosenIndex(workplace.store, {
    embedding: options.embedding,
    quiet: options.json ?? false,
  });
  await using app = createAppOperation(workplace.store, { index });
  const by = options.words ? 'words' : options.meaning ? 'meaning' : 'both';
  const asked = { query, by, ...filters } as const;
  const mark: readonly string[] = options.json ? ['', ''] : MARK;
  const found = await perform(
    searchSessions,
    { ...asked, limit: options.limit, mark: [mark[0]!, mark[1]!] },
    app,
  );
  if (options.json) return printJsonList(printedBy(searchSessions, 'search', found) as unknown[]);
  if (found.hits.length > 0 || found.sessions.length > 0) {
    await printLines(renderFound(found));
    for (const line of sayRest(found)) note(dimNote(line));
  } else for (const line of await sayNoHits(app, { query, by, filters })) note(dimNote(line));
}

async function filtersOf({ find }: Workplace, options: SearchCommandOptions): Promise<SearchFilters> {
  const { session, lineage, project, agent, tag, role, since, until, file } = options;
  const idOf = async (reference: string) => (await find(reference, { trashed: true })).id;
  return {
    ...(session !== undefined && { sessionId: await idOf(session) }),
    ...(lineage !== undefined && { lineage: await idOf(lineage) }),
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
    ...(tag !== undefined && { tag }),
    ...(role !== undefined && { role: role.map(roleOf) }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(file !== undefined && { file }),
    ...(options.decision && { decision: true as const }),
    ...(options.hidden && { place: 'archived' as const }),
    ...(options.trashed && { place: 'trashed' as const }),
  };
}

function roleOf(text: string): Role {
  const role = Role.safeParse(text);
  if (role.success) return role.data;
  throw usageError(`There is no role "${text}". Roles are ${Role.options.join(', ')}.`);
}
