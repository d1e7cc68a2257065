import { expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS, type Operation } from '../../src/operations/index.ts';
import { user } from '../../src/testing/index.ts';
import { createMachine } from '../cli/command-line.ts';

/** A command line for each command that an operation names, in a store with the session "one". */
const COMMAND_LINES: Readonly<Record<string, readonly string[]>> = {
  sessions: ['sessions'],
  title: ['title', 'one', 'Plan', 'B'],
  tag: ['tag', 'one', '--add', 'auth,urgent'],
  hide: ['hide', 'one'],
  trash: ['trash', 'one'],
  restore: ['restore', 'one'],
  fork: ['fork', 'one', '--id', 'two'],
};

const commands = (OPERATIONS as readonly Operation[]).flatMap(({ name, result, faces }) =>
  Object.entries(faces.cli ?? {}).map(([command, printed]) => ({
    name,
    command,
    schema: printed === 'result' ? result : printed.each ? z.array(printed.schema).min(1) : printed.schema,
  })),
);

it.each(commands)('$command --json prints what $name declares', async ({ command, schema }) => {
  using machine = createMachine();
  await machine.session({ id: 'one', title: 'Plan', tags: ['x'] }, (session) =>
    session.append([user('Where are tokens checked?')]),
  );
  const line = COMMAND_LINES[command];
  expect(line, `a command line for "${command}" in this test`).toBeDefined();
  const { error } = schema.safeParse(await machine.json(...line!));
  expect(error && z.prettifyError(error)).toBeUndefined();
});
