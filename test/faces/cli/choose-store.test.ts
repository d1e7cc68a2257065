import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/faces/cli/exit-codes.ts';
import { createSession } from '../../../src/session/index.ts';
import { openStore } from '../../../src/store/index.ts';
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

  it('may be named by its folder: in a flag, in the environment, in the configuration', async () => {
    using machine = createMachine();
    const file = await storeAt(machine.folder, 'kept', 'throughline.db');
    expect(await chosen(machine, {}, ['--store', 'kept'])).toBe(file);
    expect(await chosen(machine, { env: { THROUGHLINE_STORE: 'kept' } })).toBe(file);
    const later = path.join(machine.folder, 'later', 'throughline.db');
    expect(await chosen(machine, {}, ['--store', 'later/'])).toBe(later);
    mkdirSync(path.join(machine.folder, '.throughline'));
    const config = path.join(machine.folder, '.throughline', 'config.json');
    for (const [store, expected] of [
      ['kept', file],
      ['later/', later],
    ] as const) {
      writeFileSync(config, JSON.stringify({ store }));
      expect(await chosen(machine)).toBe(expected);
    }
  });

  it('that was emptied is an error for every command, and not an empty list', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one' });
    truncateSync(machine.storeFile, 0);
    // As if it had been there for a while, and not made and emptied in the same instant.
    const made = Date.now() / 1000;
    utimesSync(machine.storeFile, made, made + 60);
    for (const args of [['sessions'], ['overview'], ['search', 'x'], ['doctor'], ['show', 'one']]) {
      const { stdout, stderr, code } = await machine.run(args);
      expect({ stdout, code }, args[0]).toEqual({ stdout: '', code: EXIT_CODES['store-damaged'] });
      expect(stderr).toContain('0 bytes');
    }
  });

  it.runIf(process.getuid?.() === 0)('is named by every command if other users can open it', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one' });
    chmodSync(path.dirname(machine.storeFile), 0o755);
    chmodSync(machine.storeFile, 0o644);
    chownSync(machine.storeFile, 65534, 65534);
    for (const args of [['sessions'], ['chat', '--new']])
      expect((await machine.run(args)).stderr).toContain(`can open ${machine.storeFile}`);
  });
});
