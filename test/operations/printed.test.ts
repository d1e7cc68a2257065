import { expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS, type Operation } from '../../src/operations/index.ts';
import { user } from '../../src/testing/index.ts';
import { withPlans } from '../cli/commands/branches.ts';

/**
 * A command line for each command that an operation names, in a store with the session "one" of the project "shop" and the
 * branches "main" and "disk".
 */
const COMMAND_LINES: Readonly<Record<string, readonly string[]>> = {
  sessions: ['sessions'],
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
  'expand <session>': ['expand', 'main'],
  'collapse <session>': ['collapse', 'main'],
  'expand <session> <compaction>': ['expand', 'main', '1'],
  'collapse <session> <compaction>': ['collapse', 'main', '1'],
  pin: ['pin', 'main', '1-2'],
  projects: ['projects'],
  'projects show': ['projects', 'show', 'shop'],
  'projects link': ['projects', 'link', 'shop'],
  'projects add': ['projects', 'add'],
};

/** Command lines that come before it. */
const BEFORE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'merge --undo': [['merge', 'disk', '--take', 'theirs', '--yes']],
  'checkpoint --restore': [['compact', 'main', '--keep', '0']],
  'expand <session>': [['compact', 'main', '--keep', '0']],
  'expand <session> <compaction>': [['compact', 'main', '--keep', '0']],
  'collapse <session> <compaction>': [['compact', 'main', '--keep', '0']],
};

const commands = (OPERATIONS as readonly Operation[]).flatMap(({ name, result, faces }) =>
  Object.entries(faces.cli ?? {}).map(([command, printed]) => ({
    name,
    command,
    schema: printed === 'result' ? result : printed.each ? z.array(printed.schema).min(1) : printed.schema,
  })),
);

it.each(commands)('$command --json prints what $name declares', async ({ command, schema }) => {
  using machine = await withPlans();
  await machine.session({ id: 'one', title: 'Plan', tags: ['x'], project: 'shop' }, (session) =>
    session.append([user('Where are tokens checked?')]),
  );
  const line = COMMAND_LINES[command];
  expect(line, `a command line for "${command}" in this test`).toBeDefined();
  for (const before of BEFORE[command] ?? []) await machine.json(...before);
  const { error } = schema.safeParse(await machine.json(...line!));
  expect(error && z.prettifyError(error)).toBeUndefined();
});
