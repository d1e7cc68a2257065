import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { user } from '../../../../src/testing/index.ts';
import { createMachine, type Machine } from '../command-line.ts';

async function twoSessions(): Promise<Machine> {
  const machine = createMachine();
  for (const id of ['one', 'two']) {
    await machine.session({ id, title: `Title of ${id}`, tags: ['kept'] }, (session) =>
      session.append([user('hello'), user('x'.repeat(50_000))]),
    );
  }
  return machine;
}

function sql(machine: Machine, statement: string): void {
  const db = new DatabaseSync(machine.storeFile);
  db.exec(statement);
  db.close();
}

/** Overwrites the second page and all after it, as a failing disk would. */
function ruin(machine: Machine): void {
  const bytes = readFileSync(machine.storeFile);
  bytes.fill(0xa5, 4096);
  writeFileSync(machine.storeFile, bytes);
}

describe('throughline doctor', () => {
  it.each([
    { beside: [], mend: 'backup', salvage: false },
    { beside: ['-wal'], mend: 'salvage', salvage: true },
  ])('says once that a store is empty, and what can be done ($mend)', async ({ beside, mend, salvage }) => {
    using machine = await twoSessions();
    for (const end of beside) writeFileSync(machine.storeFile + end, 'x');
    // As if it was written long after it was made, and read since.
    writeFileSync(machine.storeFile, '');
    const changed = Date.now() / 1000 + 60;
    utimesSync(machine.storeFile, changed + 1, changed);
    const { stderr, code } = await machine.run(['doctor']);
    expect(stderr.match(/0 bytes/g)).toHaveLength(1);
    expect(stderr).not.toContain('cannot be read to its end');
    expect(stderr.includes('--salvage')).toBe(salvage);
    expect(code).toBe(44);
    const { error } = JSON.parse((await machine.run(['doctor', '--json'])).stderr);
    expect(error).toMatchObject({ code: 'store-damaged', details: { mend } });
  });

  it('says that a sound store is sound', async () => {
    using machine = await twoSessions();
    const { stdout, code } = await machine.run(['doctor']);
    expect(stdout).toMatch(
      /Sessions {2}2 stored, 2 listed\n {10}2 conversations\nEntries {3}8\nBlobs {5}1\n\nSound/,
    );
    expect(code).toBe(0);
    expect(await machine.json('doctor')).toEqual({
      location: machine.storeFile,
      bytes: expect.any(Number),
      sound: true,
      stored: 2,
      listed: 2,
      places: { active: 2, archived: 0, trashed: 0, memory: 0 },
      entries: 8,
      blobs: 1,
      problems: [],
    });
  });

  it('changes no byte of what it looks at', async () => {
    using machine = await twoSessions();
    const before = readFileSync(machine.storeFile);
    await machine.run(['doctor']);
    expect(readFileSync(machine.storeFile).equals(before)).toBe(true);
  });

  it('reports a damaged entry, and how to save the rest', async () => {
    using machine = await twoSessions();
    sql(machine, `update entries set body = replace(body, 'hello', 'jello') where position >> 32 = 1`);
    const { stdout, code } = await machine.run(['doctor']);
    expect(stdout).toContain('entry-unreadable');
    expect(stdout).toContain('throughline doctor --salvage');
    expect(code).toBe(44);
    const { stdout: json } = await machine.run(['doctor', '--json']);
    expect(JSON.parse(json)).toMatchObject({
      sound: false,
      problems: [{ code: 'entry-unreadable', session: 'one' }],
    });
  });

  it('mends a list that does not say what the sessions say', async () => {
    using machine = await twoSessions();
    sql(
      machine,
      `update sessions set name = 'wrong', state = '{"tags":[],"settings":{},"archived":true,"pinned":[],"excluded":[],"expanded":[],"removed":[],"roots":[],"todos":{},"documents":{}}' where id = 'one'`,
    );
    const found = await machine.run(['doctor']);
    expect(found.stdout).toContain('projection-differs');
    expect(found.stdout).toContain('throughline doctor --rebuild');
    expect(found.code).toBe(44);
    const mended = await machine.run(['doctor', '--rebuild']);
    expect(mended.stdout).toContain('Rebuilt: 1 session mended.\n  one\n');
    expect(mended.code).toBe(0);
    expect(await machine.json('tag', 'one')).toMatchObject([{ title: 'Title of one', tags: ['kept'] }]);
    const again = JSON.parse((await machine.run(['doctor', '--rebuild', '--json'])).stdout);
    expect(again).toMatchObject({ sound: true, rebuilt: { sessions: 2, changed: [] } });
  });

  it.each([
    ['whose start is gone', (machine: Machine) => writeFileSync(machine.storeFile, 'x'.repeat(50_000))],
    ['whose pages are gone', ruin],
  ])('leads the owner of a store %s to --salvage', async (_, damage) => {
    using machine = await twoSessions();
    damage(machine);
    const { stderr, code } = await machine.run(['doctor']);
    expect(stderr).toContain('"throughline doctor --salvage" saves what can be read');
    expect(code).toBe(44);
  });

  it('saves what can be read into a new file, and leaves the damaged one as it is', async () => {
    using machine = await twoSessions();
    sql(machine, `update entries set body = replace(body, 'hello', 'jello') where position >> 32 = 1`);
    const before = readFileSync(machine.storeFile);
    const target = machine.storeFile.replace('.db', '-salvaged.db');
    const { stdout, code } = await machine.run(['doctor', '--salvage']);
    expect(stdout).toContain(`Saved 2 sessions, 7 entries, 1 blob to ${target}`);
    expect(stdout).toContain('one, entry 3');
    expect(code).toBe(44);
    expect(readFileSync(machine.storeFile).equals(before)).toBe(true);
    const saved = await machine.runBare(['sessions', '--json', '--store', target]);
    expect(JSON.parse(saved.stdout)).toHaveLength(2);
    // What was saved once is not overwritten by a second try.
    expect((await machine.run(['doctor', '--salvage'])).code).not.toBe(0);
  });

  it('salvages into the file one names', async () => {
    using machine = await twoSessions();
    const target = `${machine.folder}/saved.db`;
    expect(await machine.json('doctor', '--salvage', target)).toMatchObject({
      source: machine.storeFile,
      target,
      whole: true,
      sessions: 2,
      entries: 8,
      unreadable: [],
      bytesLost: 0,
    });
    expect(existsSync(target)).toBe(true);
  });
});
