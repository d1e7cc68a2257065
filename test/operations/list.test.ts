import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES } from '../../src/faces/cli/chat/parse-line.ts';
import { createProgram } from '../../src/faces/cli/create-program.ts';
import { METHODS } from '../../src/faces/rpc/index.ts';
import { OPERATIONS, type Operation } from '../../src/operations/index.ts';
import { createMachine } from '../faces/cli/command-line.ts';
import { connect } from '../faces/mcp/client.ts';

const operations: readonly Pick<Operation, 'name' | 'summary' | 'faces' | 'writes'>[] = OPERATIONS;

/** Commands without an operation, and why. */
const NO_OPERATION: Readonly<Record<string, string>> = {
  resume: 'It runs the command of another agent, between the operations of compact-file and import.',
  chat: 'a face: what is typed in it runs turns',
  serve: 'a face: JSON-RPC offers the operations',
  mcp: 'a face: its tools run the operations',
};

/** `merge` for `merge --yes`, `expand` for `expand <session>`. */
const pathOf = (command: string) => command.split(/ [-<]/)[0]!;

function commandsIn(program: Command, before = ''): { path: string; description: string }[] {
  return program.commands.flatMap((command) => {
    const path = `${before}${command.name()}`;
    return [{ path, description: command.description() }, ...commandsIn(command, `${path} `)];
  });
}

const commands = commandsIn(await createProgram());

/** The operations that a command runs. */
const runBy = (path: string) =>
  operations.filter(({ faces }) => Object.keys(faces.cli ?? {}).some((command) => pathOf(command) === path));

describe('the list of operations', () => {
  it('has each name once', () => {
    const names = operations.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('offers every operation somewhere', () => {
    expect(operations.filter(({ faces }) => Object.keys(faces).length === 0)).toEqual([]);
  });

  it('is offered over RPC under the same names', () => {
    for (const { name, faces } of operations) expect([name, name in METHODS]).toEqual([name, !!faces.rpc]);
  });

  it('names commands that there are', () => {
    const known = commands.map(({ path }) => path);
    const named = operations.flatMap(({ faces }) => Object.keys({ ...faces.cli, ...faces.help }));
    expect(named.filter((command) => !known.includes(pathOf(command)))).toEqual([]);
  });

  it('names commands of the chat that there are', () => {
    const named = operations.flatMap(({ faces }) => faces.chat ?? []);
    expect(named).not.toEqual([]);
    const known: readonly string[] = [...COMMAND_NAMES, 'message', 'start'];
    expect(named.filter((command) => !known.includes(command))).toEqual([]);
  });

  it('gives no help for a command that the operation does not name', () => {
    for (const { name, faces } of operations)
      for (const command of Object.keys(faces.help ?? {}))
        expect([name, Object.keys(faces.cli ?? {}).map(pathOf)]).toEqual([
          name,
          expect.arrayContaining([command]),
        ]);
  });

  it.each(commands)('has an operation for "$path", or a reason why there is none', ({ path }) => {
    expect([path, runBy(path).length > 0]).toEqual([path, !(path in NO_OPERATION)]);
  });

  it.each(commands.filter(({ path }) => !(path in NO_OPERATION)))(
    'describes "$path" in the words of its operation',
    ({ path, description }) => {
      // A command may add a sentence about its options.
      const words = runBy(path).map(({ summary, faces }) => faces.help?.[path] ?? summary);
      expect(words.filter((sentence) => description.startsWith(sentence))).toHaveLength(1);
    },
  );

  it('names MCP tools that there are, and lets none write that only reads', async () => {
    using machine = createMachine();
    await using agent = await connect(machine);
    const { tools } = await agent.client.listTools();
    const reads = new Map(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint === true]));
    for (const { name, faces, writes } of operations)
      for (const tool of faces.mcp ?? [])
        expect([name, tool, reads.get(tool)]).toEqual([name, tool, writes !== true]);
  });

  it('describes MCP tools in the words of their operations', async () => {
    using machine = createMachine();
    await using agent = await connect(machine);
    const { tools } = await agent.client.listTools();
    for (const { name: tool, description } of tools) {
      const summaries = operations
        .filter(({ faces }) => faces.mcp?.includes(tool))
        .map(({ summary }) => summary);
      expect([tool, summaries.filter((summary) => description?.startsWith(summary))]).toEqual([
        tool,
        [expect.any(String)],
      ]);
    }
  });
});
