import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { startChild, tempFolder } from './child.ts';

const WRITERS = 8;
const APPENDS = 1000;

describe('eight processes, a thousand appends each', () => {
  it.each([
    { where: 'one session', sessions: ['shared'] },
    { where: 'many sessions', sessions: Array.from({ length: 16 }, (_, n) => `session-${n}`) },
  ])('into $where: every acknowledged entry is there exactly once', async ({ sessions }) => {
    using folder = tempFolder();
    const file = folder.file('store.db');
    {
      await using store = await openSqliteStore(file);
      for (const id of sessions) await store.create({ id });
    }
    const children = Array.from({ length: WRITERS }, (_, writer) =>
      startChild('append-many.ts', [file, sessions.join(','), String(APPENDS), `writer ${writer}`]),
    );
    const ends = await Promise.all(children.map((child) => child.ended));
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ends.map(() => ({ code: 0, stderr: '' })),
    );

    await using store = await openSqliteStore(file);
    const acknowledged = children.flatMap((child) => child.lines).sort();
    const stored: string[] = [];
    for (const id of sessions) {
      const entries = await store.read(id);
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
      stored.push(...entries.map((entry) => `${id} ${entry.id}`));
    }
    expect(acknowledged).toHaveLength(WRITERS * APPENDS);
    expect(stored.sort()).toEqual(acknowledged);
    expect((await store.verify()).problems).toEqual([]);
  });
});
