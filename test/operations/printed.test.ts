import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS, type Operation } from '../../src/operations/index.ts';
import { addFact, placeFolder, proposeFact } from '../../src/project/index.ts';
import type { Store } from '../../src/store/index.ts';
import { user } from '../../src/testing/index.ts';
import { withPlans } from '../faces/cli/commands/branches.ts';

/** The session of a developer on the task that is planned. */
const LOGIN = 'dev_auth_login_planning';

/** The ids of a fact of the project of the folder, and of a proposal. */
const FACT = '019a0000-0000-7000-8000-00000000fac7';
const PROPOSAL = '019a0000-0000-7000-8000-0000005a1d00';

/**
 * A command line for each command that an operation names, in a store with the session "one" of the project "shop" and the
 * branches "main" and "disk".
 */
const COMMAND_LINES: Readonly<Record<string, readonly string[]>> = {
  sessions: ['sessions'],
  'sessions --tree': ['sessions', '--tree'],
  title: ['title', 'one', 'Plan', 'B'],
  tag: ['tag', 'one', '--add', 'auth,urgent'],
  hide: ['hide', 'one'],
  trash: ['trash', 'one'],
  restore: ['restore', 'one'],
  fork: ['fork', 'one', '--id', 'two'],
  show: ['show', 'main', '--full'],
  overview: ['overview'],
  lineage: ['lineage', 'disk'],
  diff: ['diff', 'main', 'disk'],
  merge: ['merge', 'disk', '--take', 'newest'],
  'merge --yes': ['merge', 'disk', '--take', 'theirs', '--yes'],
  'merge --undo': ['merge', 'disk', '--undo'],
  checkpoint: ['checkpoint', 'main'],
  'checkpoint --history': ['checkpoint', 'main', '--history'],
  'checkpoint --diff': ['checkpoint', 'main', '--diff'],
  'checkpoint --restore': ['checkpoint', 'main', '1', '--restore'],
  compact: ['compact', 'main', '--keep', '0', '--model', 'offline'],
  'compact --preview': ['compact', 'main', '--keep', '0', '--preview'],
  'compact --review': ['compact', 'main', '--keep', '0', '--review'],
  'compact --approve': ['compact', 'main', '--approve'],
  'compact --discard': ['compact', 'main', '--discard'],
  'expand <session>': ['expand', 'main'],
  'collapse <session>': ['collapse', 'main'],
  'expand <session> <compaction>': ['expand', 'main', '1'],
  'collapse <session> <compaction>': ['collapse', 'main', '1'],
  context: ['context', 'main', '--question', 'Which cache?'],
  pin: ['pin', 'main', '1-2'],
  search: ['search', 'cache'],
  projects: ['projects'],
  'projects show': ['projects', 'show', 'shop'],
  'projects link': ['projects', 'link', 'shop'],
  'projects add': ['projects', 'add'],
  memory: ['memory'],
  'memory add': ['memory', 'add', 'The port is 9090'],
  'memory edit': ['memory', 'edit', FACT.slice(-8), 'The port is 7070'],
  'memory retract': ['memory', 'retract', FACT, '--reason', 'No port any more'],
  'memory proposals': ['memory', 'proposals'],
  'memory accept': ['memory', 'accept', PROPOSAL, '--as', 'CI needs Java 22'],
  'memory decline': ['memory', 'decline', '--all'],
  'memory history': ['memory', 'history'],
  'memory budget': ['memory', 'budget', '8000'],
  'memory files': ['memory', 'files', '.'],
  approvals: ['approvals', '--session', 'one'],
  'approvals --revoke': ['approvals', '--revoke', '--all', '--session', 'one'],
  work: ['work'],
  'work features': ['work', 'features'],
  'work feature': ['work', 'feature', 'auth'],
  'work feature --name': ['work', 'feature', 'auth', '--name', 'Sign in', '--folder', '.'],
  'work tasks': ['work', 'tasks', 'auth'],
  'work task': ['work', 'task', 'auth', 'login'],
  'work task --title': ['work', 'task', 'auth', 'login', '--title', 'Build it', '--remove'],
  'work move <feature> <state>': ['work', 'move', 'auth', 'in_progress', '--reason', 'now'],
  'work move <feature> <task> <state>': ['work', 'move', 'auth', 'login', 'in_dev', '--reason', 'now'],
  'work states': ['work', 'states'],
  'work sessions': ['work', 'sessions'],
  'work session': ['work', 'session', 'dev-task', 'auth', 'login'],
  'work session --new': ['work', 'session', 'dev-task', 'auth', 'login', '--agent', 'qa'],
  'work session --end': ['work', 'session', 'dev-task', 'auth', 'login', '--end'],
  'work add': ['work', 'add', LOGIN, 'user', 'Go on.'],
  'work compact': ['work', 'compact', LOGIN],
  'work show': ['work', 'show', LOGIN, 'qa_auth_login_planning'],
  'work request': ['work', 'request', LOGIN, 'Go on.'],
  'work request --size': ['work', 'request', LOGIN, '--size'],
  'work checkpoint': ['work', 'checkpoint', LOGIN],
  'work loop': ['work', 'loop', LOGIN, '1', '--passed', 'build', '--error', 'boom'],
  'work agents': ['work', 'agents'],
  'work agents --write': ['work', 'agents', '--write'],
  'work import': ['work', 'import'],
  'work export': ['work', 'export'],
  import: ['import', 'talk.jsonl'],
  export: ['export', 'one', '--format', 'markdown', '--chain', '--redact', '--out', 'talk.md'],
  handoff: ['handoff', 'one', '--to', 'pi'],
  'compact-file': ['compact-file', 'talk.jsonl', '--dry-run'],
  archive: ['archive', 'one', 'talk.jsonl', '--push', 'remote.git'],
  'archive list': ['archive', 'list'],
  'archive verify': ['archive', 'verify'],
  'archive restore': ['archive', 'restore', 'one.jsonl', '--out', 'restored.jsonl'],
  'archive push': ['archive', 'push', 'remote.git'],
  'archive scrub': ['archive', 'scrub', '--text', 'tokens', '--prune', '--yes'],
  scrub: ['scrub', '--text', 'tokens', '--yes'],
  purge: ['purge', 'old', '--yes'],
  doctor: ['doctor', '--rebuild'],
  'doctor --salvage': ['doctor', '--salvage'],
  config: ['config'],
  'config set': ['config', 'set', 'timeout', '60'],
  'config unset': ['config', 'unset', 'timeout'],
};

const PLANNED = [
  ['work', 'feature', 'auth', '--name', 'Sign in'],
  ['work', 'task', 'auth', 'login', '--title', 'Build the login'],
  ['work', 'session', 'dev-task', 'auth', 'login'],
];

/** Command lines that come before it. */
const BEFORE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'merge --undo': [['merge', 'disk', '--take', 'theirs', '--yes']],
  'checkpoint --restore': [['compact', 'main', '--keep', '0']],
  'compact --approve': [['compact', 'main', '--keep', '0', '--review']],
  'compact --discard': [['compact', 'main', '--keep', '0', '--review']],
  'expand <session>': [['compact', 'main', '--keep', '0']],
  'expand <session> <compaction>': [['compact', 'main', '--keep', '0']],
  'collapse <session> <compaction>': [['compact', 'main', '--keep', '0']],
  import: [['export', 'one', '--format', 'pi', '--out', 'talk.jsonl']],
  'compact-file': [['export', 'one', '--format', 'pi', '--out', 'talk.jsonl']],
  archive: [['export', 'one', '--format', 'pi', '--out', 'talk.jsonl']],
  'archive list': [['archive', 'one']],
  'archive verify': [['archive', 'one']],
  'archive restore': [['archive', 'one']],
  'archive push': [['archive', 'one']],
  'archive scrub': [['archive', 'one', '--no-redact']],
  ...Object.fromEntries(
    Object.keys(COMMAND_LINES).flatMap((command) => (command.startsWith('work') ? [[command, PLANNED]] : [])),
  ),
  'work compact': [
    ...PLANNED,
    ...['user', 'assistant', 'user', 'assistant', 'user', 'assistant'].map((role) => [
      'work',
      'add',
      LOGIN,
      role,
      'Step by step. '.repeat(50),
    ]),
  ],
  'work show': [...PLANNED, ['work', 'session', 'qa-task', 'auth', 'login']],
  purge: [
    ['fork', 'one', '--id', 'old'],
    ['trash', 'old'],
  ],
};

const operations: readonly Pick<Operation, 'name' | 'result' | 'faces'>[] = OPERATIONS;
const commands = operations.flatMap(({ name, result, faces }) =>
  Object.entries(faces.cli ?? {}).flatMap(([command, printed]) => {
    if (printed === 'result') return [{ name, command, schema: result }];
    // Lines come as files grow, until the command is ended.
    if ('lines' in printed) return [];
    const { schema, each } = printed;
    return [{ name, command, schema: each ? z.array(schema).min(1) : schema }];
  }),
);

it('prints the result of an operation, but for the commands that the page of commands lists with their own form', () => {
  const page = readFileSync('docs/cli.md', 'utf8');
  const table = page.split('| command | prints, of the result |')[1]!.split('\n\n')[0]!;
  const listed = table
    .split('\n')
    .flatMap((row) => (row.split(' | ')[0] ?? '').match(/(?<=`)[a-z][^`]*/g) ?? []);
  const own = operations.flatMap(({ faces }) =>
    Object.entries(faces.cli ?? {}).flatMap(([command, printed]) =>
      printed === 'result' || 'lines' in printed ? [] : [command],
    ),
  );
  expect(listed.toSorted()).toEqual(own.toSorted());
});

it.each(commands)('$command --json prints what $name declares', async ({ command, schema }) => {
  using machine = await withPlans();
  await machine.session({ id: 'one', title: 'Plan', tags: ['x'], project: 'shop' }, (session) =>
    session.append([user('Where are tokens checked?')]),
  );
  if (command.startsWith('memory')) await machine.change((store) => remember(store, machine.folder));
  execFileSync('git', ['init', '--quiet', '--bare', 'remote.git'], { cwd: machine.folder });
  const line = COMMAND_LINES[command];
  expect(line, `a command line for "${command}" in this test`).toBeDefined();
  for (const before of BEFORE[command] ?? []) await machine.json(...before);
  const { error } = schema.safeParse(await machine.json(...line!));
  expect(error && z.prettifyError(error)).toBeUndefined();
});

/** Two facts that contradict each other, and a proposal. */
async function remember(store: Store, folder: string): Promise<void> {
  const { project } = await placeFolder(store, folder);
  const source = { by: 'agent', name: 'Sally' } as const;
  await addFact(store, project, 'The port is 8080', { source, id: FACT });
  await addFact(store, project, 'The port is 6060', { source });
  await proposeFact(store, project, 'CI needs Java 21', { source, id: PROPOSAL });
}
