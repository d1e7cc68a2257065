import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSession } from '../../src/session/index.ts';
import { openStore } from '../../src/store/index.ts';
import { createMachine, type Machine } from './command-line.ts';

async function storeAt(...parts: string[]): Promise<string> {
  const file = path.join(...parts);
  await using store = await openStore(file, { durability: 'normal' });
  await using _session = await createSession(store, { id: path.basename(path.dirname(path.dirname(file))) });
  return file;
}

async function chosen(
  machine: Machine,
  options: Parameters<Machine['runBare']>[1] = {},
  args: string[] = [],
) {
  const { stdout } = await machine.runBare(['overview', '--json', ...args], options);
  return (JSON.parse(stdout) as { store: string }).store;
}

describe('which store', () => {
  it('is the one in the home folder, without making it', async () => {
    using machine = createMachine();
    expect(await chosen(machine)).toBe(path.join(machine.home, '.throughline', 'throughline.db'));
    expect(readdirSync(machine.home)).toEqual([]);
  });

  it("is the nearest project's own, from any folder below", async () => {
    using machine = createMachine();
    const file = await storeAt(machine.folder, '.throughline', 'throughline.db');
    const deep = path.join(machine.folder, 'a', 'b');
    mkdirSync(deep, { recursive: true });
    expect(await chosen(machine, { folder: deep })).toBe(file);
    const nearer = await storeAt(machine.folder, 'a', '.throughline', 'throughline.db');
    expect(await chosen(machine, { folder: deep })).toBe(nearer);
  });

  it('is the one of THROUGHLINE_STORE before that, and the one of --store before all', async () => {
    using machine = createMachine();
    await storeAt(machine.folder, '.throughline', 'throughline.db');
    const env = { THROUGHLINE_STORE: path.join(machine.home, 'env.db') };
    expect(await chosen(machine, { env })).toBe(env.THROUGHLINE_STORE);
    const named = path.join(machine.folder, 'named.db');
    expect(await chosen(machine, { env }, ['--store', 'named.db'])).toBe(named);
    expect(existsSync(named)).toBe(false);
  });

  it('may be named before or after the command', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one' });
    const before = await machine.runBare(['--store', machine.storeFile, '--json', 'sessions']);
    const after = await machine.runBare(['sessions', '--json', '--store', machine.storeFile]);
    expect(before.stdout).toBe(after.stdout);
    expect(JSON.parse(before.stdout)).toHaveLength(1);
  });
});
