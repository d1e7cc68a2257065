import type { Command } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
import { showOverview } from '../../../operations/session/index.ts';
import { sayCount, sayNumber } from '../../../text/index.ts';
import { firstSentence } from '../help-text.ts';
import { keepLastList } from '../last-list.ts';
import { renderSessionTable } from '../render/session-table.ts';
import { bold, cyan, dim } from '../terminal/paint.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { type GlobalOptions, type Workplace, withStore } from '../with-store.ts';

const NEWEST = 3;

export function addOverviewCommand(program: Command): void {
  program
    .command('overview')
    .description(
      'Say where the sessions are kept and which are newest. The same as no command at all, in a pipe.',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, (workplace) => run(program, workplace, options));
    });
}

async function run(program: Command, { app, choice }: Workplace, { json }: GlobalOptions): Promise<void> {
  const overview = await perform(showOverview, { newest: NEWEST }, app);
  const { counts, newest } = overview;
  const { location, because, exists } = choice;
  const commands = program.commands.filter((command) => command.name() !== 'overview');
  if (json) {
    const names = commands.map((command) => command.name());
    const printed = printedBy(showOverview, 'overview', overview) as object;
    return printJson({ store: location, exists, ...printed, commands: names });
  }
  const total = counts.active + counts.archived + counts.trashed;
  await printLines([
    `${bold('Throughline')} ${dim(`${program.version()}  durable sessions for AI agents`)}`,
    '',
    `Store     ${cyan(visibleLine(location))} ${dim(`(${because})`)}`,
    `Sessions  ${total === 0 ? 'none yet' : sayPlaces(counts)}`,
    '',
  ]);
  if (total === 0) await printLines(BEGIN);
  if (newest.length > 0) {
    const ids = newest.map(({ id }) => id);
    const lines = newest.map((session) => ({ session }));
    await printLines(renderSessionTable(lines, { numbered: keepLastList(location, ids) }));
    await printLines(['']);
  }
  const width = Math.max(...commands.map((command) => command.name().length));
  await printLines([
    ...commands.map(
      (command) => `  ${command.name().padEnd(width)}  ${dim(firstSentence(command.description()))}`,
    ),
    '',
    dim('More about one: throughline help <command>'),
    dim('Every command takes --json and --store <path>.'),
  ]);
}

function sayPlaces({
  active,
  archived,
  trashed,
}: Readonly<Record<'active' | 'archived' | 'trashed', number>>): string {
  const others = [
    archived > 0 && `${sayNumber(archived)} hidden`,
    trashed > 0 && `${sayNumber(trashed)} in the trash`,
  ];
  return [sayCount(active, 'session'), ...others].filter(Boolean).join(', ');
}

const BEGIN = [
  'A session is a conversation that is written down, message by message, before',
  'anything else happens. Start one with "throughline chat", or from a program:',
  '',
  "  import { createSession, openStore } from 'throughline';",
  '',
  '  await using store = await openStore();',
  "  await using session = await createSession(store, { title: 'Hello' });",
  '  await session.append([',
  "    { kind: 'message', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },",
  '  ]);',
  '',
  'Then these commands find it:',
  '',
];
