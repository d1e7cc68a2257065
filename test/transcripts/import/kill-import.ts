import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Store } from '../../../src/store/index.ts';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { formatNamed, importSource, openSource } from '../../../src/transcripts/index.ts';
import { startChild, tempFolder } from '../../flows/child.ts';
import { hashes, sessionsOf } from '../transfer.ts';
import { long } from './samples.ts';

const CHILD = '../transcripts/import/import-child.ts';
const KILLS = 3;

/** What a large file becomes when nothing is in the way, and a place to try what else may happen. */
async function withLargeFile(
  turns: number,
  work: (place: {
    file: string;
    database(name: string): string;
    expectWhole(database: string): Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  using folder = tempFolder();
  const file = folder.file('large.jsonl');
  writeFileSync(file, long(turns, 'and so on – „quoted“ '.repeat(10)));
  const whole = await lookInto(folder.file('whole.db'), async (store) => {
    await importHere(store, file);
    return describeStore(store);
  });
  await work({
    file,
    database: folder.file,
    expectWhole: (database) =>
      lookInto(database, async (store) => {
        await importHere(store, file);
        expect(await describeStore(store)).toEqual(whole);
        expect((await store.verify()).problems).toEqual([]);
      }),
  });
}

/** Kills imports of one file at instants spread over their work, and looks what the last one makes of the rest. */
export async function killImports(rounds: number, { turns }: { turns: number }): Promise<void> {
  await withLargeFile(turns, async ({ file, database, expectWhole }) => {
    for (let round = 0; round < rounds; round++) {
      const killed = database(`${round}.db`);
      for (let kill = 0; kill < KILLS; kill++) {
        const child = startChild(CHILD, [killed, file]);
        await child.line('begins');
        await delay((round * 53 + kill * 97) % 300);
        child.process.kill('SIGKILL');
        await child.ended;
      }
      await expectWhole(killed);
    }
  });
}

/** Two processes import the same file into one store. */
export async function importTwice({ turns }: { turns: number }): Promise<void> {
  await withLargeFile(turns, async ({ file, database, expectWhole }) => {
    const shared = database('shared.db');
    const children = [startChild(CHILD, [shared, file]), startChild(CHILD, [shared, file])];
    const ends = await Promise.all(children.map(({ ended }) => ended));
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    await expectWhole(shared);
  });
}

async function importHere(store: Store, file: string): Promise<void> {
  await importSource(store, await openSource(file), { format: formatNamed('claude-code'), file });
}

async function lookInto<T>(database: string, work: (store: Store) => Promise<T>): Promise<T> {
  await using store = await openSqliteStore(database);
  return await work(store);
}

async function describeStore(store: Store) {
  const sessions = (await sessionsOf(store)).map(({ updatedAt: _, ...info }) => info);
  return { hashes: await hashes(store), sessions };
}
