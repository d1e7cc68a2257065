import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/create-program.ts';
import { OPERATIONS, type Operation } from '../../src/operations/index.ts';
import { METHODS } from '../../src/rpc/index.ts';
import { createMachine } from '../cli/command-line.ts';
import { connect } from '../mcp/client.ts';

const operations: readonly Pick<Operation, 'name' | 'summary' | 'faces' | 'writes'>[] = OPERATIONS;

function descriptionOf(command: string): string | undefined {
  let found: Command | undefined = createProgram();
  for (const word of command.split(' ')) found = found?.commands.find((each) => each.name() === word);
  return found?.description();
}

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
    const known = createProgram().commands.map((command) => command.name());
    const named = operations.flatMap(({ faces }) => Object.keys(faces.cli ?? {}));
    expect(named.filter((command) => !known.includes(command.split(' ')[0]!))).toEqual([]);
  });

  it('describes a command on files as its operation does', () => {
    const onFiles = operations.filter(({ name }) =>
      /^(?:transcript|archive|config)\/|^store\/(?!overview)/.test(name),
    );
    for (const { summary, faces } of onFiles) {
      const [command, ...others] = Object.keys(faces.cli ?? {});
      if (command === undefined || others.length > 0 || command.includes('--')) continue;
      // A command may add a sentence about its options.
      expect(descriptionOf(command)?.slice(0, summary.length)).toBe(summary);
    }
  });

  it('names MCP tools that there are, and lets none write that only reads', async () => {
    using machine = createMachine();
    await using agent = await connect(machine);
    const { tools } = await agent.client.listTools();
    const reads = new Map(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint === true]));
    for (const { name, faces, writes } of operations)
      for (const tool of faces.mcp ?? [])
        expect([name, tool, reads.get(tool)]).toEqual([name, tool, writes !== true]);
  });
});
