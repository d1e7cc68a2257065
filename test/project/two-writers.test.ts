import { describe, expect, it } from 'vitest';
import { listProjects, readMemory, showFacts } from '../../src/project/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { tempFolder } from '../flows/child.ts';
import { acknowledged, killWriters, startWriter } from './kill-writers.ts';

describe('several processes that write into one memory', () => {
  it('make one project of a folder that none of them knew, and lose nothing of each other', async () => {
    using temp = tempFolder();
    const file = temp.file('store.db');
    const writers = ['Anna', 'Bo', 'Cy'].map((name) => startWriter([file, temp.path, name, '40']));
    const ends = await Promise.all(writers.map((child) => child.ended));
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ends.map(() => ({ code: 0, stderr: '' })),
    );

    await using store = await openSqliteStore(file);
    const [project, ...others] = await listProjects(store);
    expect(others).toEqual([]);
    const memory = await readMemory(store, project!);
    const written = writers.flatMap(acknowledged);
    expect(written.filter(({ id, text }) => memory.facts.get(id)?.text !== text)).toEqual([]);
    expect(memory.facts.size).toBe(written.length);
    // What is shown: every text that nobody superseded, once.
    const superseded = new Set([...memory.facts.values()].flatMap(({ supersedes }) => supersedes));
    const expected = new Set(written.filter(({ id }) => !superseded.has(id)).map(({ text }) => text));
    expect(
      showFacts(memory)
        .map(({ text }) => text)
        .sort(),
    ).toEqual([...expected].sort());
    expect((await store.verify()).problems).toEqual([]);
  });
});

it('a process that is killed while it writes leaves every fact whole', () => killWriters(3));
