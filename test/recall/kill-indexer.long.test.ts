import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openRecall } from '../../src/recall/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { conversation, toolCall, user } from '../../src/testing/index.ts';
import { startChild, tempFolder } from '../flows/child.ts';
import { dumpIndex } from './dump-index.ts';

const SCRIPT = path.join('..', 'recall', 'index-forever.ts');

/** Few words, many bytes: what a batch holds is counted in characters. */
const LONG = 'w'.repeat(500);

/** Enough text for several batches, in sessions of different lengths. */
async function fill(file: string): Promise<void> {
  await using store = await openSqliteStore(file, { durability: 'normal' });
  for (let session = 0; session < 12; session++) {
    const bodies = Array.from({ length: 60 + session * 40 }, (_, n) =>
      n % 9 === 4
        ? toolCall('edit', { path: `src/file-${n}.ts` })
        : user(`session ${session} message ${n} ${`${LONG}${n % 50} `.repeat(6)}`),
    );
    await store.create({ id: `s${session}` }, conversation(...bodies));
  }
}

async function indexWhole(file: string): Promise<ReturnType<typeof dumpIndex>> {
  const index = file.replace('.db', '.index.db');
  for (const end of ['', '-wal', '-shm']) rmSync(index + end, { force: true });
  {
    await using store = await openSqliteStore(file);
    await using recall = await openRecall(store);
    await recall.catchUp();
  }
  return dumpIndex(index);
}

it('loses nothing and repeats nothing when the indexer is killed at any instant', async () => {
  using folder = tempFolder();
  const file = folder.file('store.db');
  await fill(file);
  let [finished, interrupted] = [0, 0];
  for (let kill = 0; kill < 10; kill++) {
    const child = startChild(SCRIPT, [file, '1']);
    if (kill % 4 === 1) await child.line('ready');
    if (kill % 4 >= 2) await Promise.race([child.line('batch'), child.ended]);
    await new Promise((resolve) => setTimeout(resolve, (kill * 53) % 170));
    child.process.kill('SIGKILL');
    const { code } = await child.ended;
    if (code === 0) finished++;
    else interrupted++;
  }
  expect(interrupted).toBeGreaterThan(0);
  const last = startChild(SCRIPT, [file, '1']);
  expect(await last.ended).toMatchObject({ code: 0 });
  const afterKills = dumpIndex(folder.file('store.index.db'));
  expect(afterKills).toEqual(await indexWhole(file));
  expect(finished + interrupted).toBe(10);
});

it('lets several processes index at once, and indexes everything once', async () => {
  using folder = tempFolder();
  const file = folder.file('store.db');
  await fill(file);
  const children = Array.from({ length: 3 }, () => startChild(SCRIPT, [file, '2']));
  for (const child of children) expect(await child.ended).toMatchObject({ code: 0, stderr: '' });
  const together = dumpIndex(folder.file('store.index.db'));
  expect(together).toEqual(await indexWhole(file));
});
