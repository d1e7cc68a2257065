import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../src/errors.ts';
import { EXIT_CODES } from '../../../src/faces/cli/exit-codes.ts';
import { forkSession, trashSession } from '../../../src/session/index.ts';
import { user } from '../../../src/testing/index.ts';
import { createMachine, type Machine } from './command-line.ts';

function sql(machine: Machine, statement: string): void {
  const db = new DatabaseSync(machine.storeFile);
  db.exec(statement);
  db.close();
}

interface Failure {
  readonly code: ErrorCode;
  readonly args: readonly string[];
  readonly given?: (machine: Machine) => unknown;
}

const LARGE = 'x'.repeat(50_000);

/** Every failure that a command of today can end in. */
const FAILURES: readonly Failure[] = [
  { code: 'usage', args: ['sesions'] },
  { code: 'usage', args: ['show'] },
  { code: 'usage', args: ['sessions', '--no-such-option'] },
  { code: 'usage', args: ['sessions', '--limit', '0'] },
  { code: 'usage', args: ['fork', 'one', '--at', 'here'] },
  { code: 'usage', args: ['chat', '--preset', 'nope'] },
  { code: 'usage', args: ['--preset', 'nope'] },
  { code: 'usage', args: ['--window', 'abc'] },
  { code: 'usage', args: ['chat', '--timeout', '-1'] },
  { code: 'usage', args: ['--resume'] },
  { code: 'usage', args: ['compact', 'one', '--preset', 'nope'] },
  { code: 'usage', args: ['context', 'one', '--window', 'x'] },
  { code: 'usage', args: ['sessions', '--store', 'postgres://db'] },
  { code: 'session-not-found', args: ['show', 'nobody'] },
  { code: 'session-not-found', args: ['show', '7'] },
  { code: 'session-ambiguous', args: ['show', 'o'], given: (machine) => machine.session({ id: 'other' }) },
  { code: 'session-exists', args: ['fork', 'one', '--id', 'one'] },
  { code: 'session-id-invalid', args: ['fork', 'one', '--id', '../one'] },
  { code: 'session-not-trashed', args: ['purge', 'one', '--yes'] },
  {
    code: 'session-has-forks',
    args: ['purge', 'one', '--yes'],
    async given(machine) {
      await using store = await machine.open();
      await forkSession(store, (await store.session('one'))!);
      await trashSession(store, 'one');
    },
  },
  { code: 'entry-not-found', args: ['show', 'one', '--entry', '99'] },
  { code: 'entry-not-found', args: ['show', 'one', '--entry', '01890000-0000-7000-8000-000000000000'] },
  { code: 'entry-not-found', args: ['fork', 'one', '--at', '99'] },
  {
    code: 'entry-unreadable',
    args: ['show', 'one'],
    given: (machine) => sql(machine, `update entries set body = replace(body, 'hello', 'jello')`),
  },
  {
    code: 'blob-missing',
    args: ['show', 'one', '--full'],
    given: (machine) => sql(machine, 'delete from blobs'),
  },
  {
    code: 'blob-damaged',
    args: ['show', 'one', '--full'],
    given: (machine) => sql(machine, `update blobs set bytes = zeroblob(length(bytes))`),
  },
  {
    code: 'store-read-only',
    args: ['tag', 'one', '--add', 'a'],
    given: (machine) => sql(machine, 'pragma user_version = 99'),
  },
  {
    code: 'store-damaged',
    args: ['sessions'],
    given: (machine) =>
      writeFileSync(machine.storeFile, 'not a database at all, but long enough to be one'.repeat(100)),
  },
  {
    code: 'store-foreign',
    args: ['sessions'],
    given: (machine) => sql(machine, 'pragma application_id = 1'),
  },
];

describe('exit codes', () => {
  it.each(FAILURES)('$code after $args', async ({ code, args, given }) => {
    using machine = createMachine();
    await machine.session({ id: 'one' }, (session) => session.append([user('hello'), user(LARGE)]));
    await given?.(machine);
    const run = args.includes('--store') ? machine.runBare : machine.run;
    const { stderr, code: exitCode } = await run([...args, '--json']);
    expect(JSON.parse(stderr).error).toMatchObject({
      code,
      message: expect.stringMatching(/^["A-Z/].*[^.]\.?$/s),
    });
    expect(exitCode).toBe(EXIT_CODES[code]);
  });

  it('are the same for people, who read a sentence instead', async () => {
    using machine = createMachine();
    const { stdout, stderr, code } = await machine.run(['show', 'nobody']);
    expect(stderr).toMatch(/^Error: No session "nobody": .*\.\n$/);
    expect({ stdout, code }).toEqual({ stdout: '', code: 10 });
  });

  it('are different for every code, and none is taken for success, a bug or a signal', () => {
    const codes = ERROR_CODES.map((code) => EXIT_CODES[code]);
    expect(new Set(codes).size).toBe(ERROR_CODES.length);
    expect(codes.filter((code) => code < 2 || code > 125)).toEqual([]);
  });

  it('name the command whose help is meant, and the nearest word', async () => {
    using machine = createMachine();
    expect((await machine.run(['sesions'])).stderr).toContain('Did you mean sessions?');
    expect((await machine.run(['sessions', '--lim', '3'])).stderr).toContain(
      'See "throughline help sessions".',
    );
  });

  it('come with what can be said instead of a word that is no command', async () => {
    using machine = createMachine();
    const told = async (...words: string[]) => {
      const { stdout, stderr, code } = await machine.run(words);
      return [code, stdout, stderr];
    };
    expect(await told('help', 'nonsense')).toEqual([2, '', expect.stringContaining('no command "nonsense"')]);
    expect(await told('help', 'memory', 'ad')).toEqual([2, '', expect.stringContaining('help memory')]);
    expect(await told('memory', 'ad')).toEqual([2, '', expect.stringContaining('one of add, edit')]);
    expect(await told('memory', 'edit', 'x')).toEqual([2, '', expect.stringContaining('help memory edit')]);
    expect(await told('resume', '1')).toEqual([2, '', expect.stringContaining('chat --resume <session>')]);
    expect(await told('help', 'memory', 'add')).toEqual([
      0,
      expect.stringMatching(/^Usage: .*memory add/),
      '',
    ]);
    expect(await told('help', 'show')).toEqual([0, expect.stringMatching(/^Usage: throughline show/), '']);
  });

  it('are 1 for unforeseen errors: one line, and the stack on request only', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one' }, (session) => session.append([user('hello')]));
    // No store looks like this, and none can come to look so by itself.
    sql(machine, 'drop table hot');
    const { stderr, code } = await machine.run(['show', 'one']);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('THROUGHLINE_DEBUG=1');
    const debugged = await machine.run(['show', 'one'], { env: { THROUGHLINE_DEBUG: '1' } });
    expect(debugged.stderr).toMatch(/\n\s+at /);
  });

  it('are 18 for a chat in the trash, before anything is typed', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one' }, (session) => session.append([user('hello')]));
    await machine.run(['trash', 'one']);
    const { stderr, code } = await machine.run(['chat', '--continue', 'one'], { input: 'Are you there?\n' });
    expect(stderr).toContain('"throughline restore one" brings it back.');
    expect(code).toBe(18);
    const forked = await machine.run(['chat', '--continue', 'one', '--fork'], { input: 'Are you there?\n' });
    expect(forked.code).toBe(0);
  });

  it('tell of a place where no store can be made', async () => {
    using machine = createMachine();
    const file = path.join(machine.folder, 'file');
    writeFileSync(file, 'a file');
    mkdirSync(path.join(machine.folder, 'folder'));
    // Nothing is made for a command that only looks, so there is nothing to complain about either.
    expect(
      (await machine.runBare(['sessions', '--store', path.join(machine.folder, 'folder', 'new.db')])).code,
    ).toBe(0);
    expect((await machine.runBare(['show', 'one', '--store', path.join(file, 'new.db')])).code).toBe(10);
  });
});
