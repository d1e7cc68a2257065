import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { openRecall } from '../../src/search/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { conversation, toolCall, user } from '../../src/testing/index.ts';
import { type Child, startChild, tempFolder } from '../flows/child.ts';
import { dumpIndex } from './dump-index.ts';

const SCRIPT = path.join('..', 'search', 'index-forever.ts');

/** Few words, many bytes: what a batch holds is counted in characters. */
const LONG = 'w'.repeat(500);

/** Enough text for several batches, in sessions of different lengths. */
export async function fillStore(file: string): Promise<void> {
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

/**
 * Kills an indexer again and again, at instants spread over its start and its work, until the index is whole, several
 * times over; each time the index has to be the one that an undisturbed indexer makes. Every second one ends in the middle
 * of its work however slow the machine is, because it kills itself there.
 */
export async function killSweep(kills: number): Promise<void> {
  using folder = tempFolder();
  const file = folder.file('store.db');
  await fillStore(file);
  const undisturbed = await indexWhole(file);
  removeIndex(file);
  let interrupted = 0;
  for (let kill = 0; kill < kills; kill++) {
    const kind = kill % 4;
    const child = startIndexer(file, '1', kind % 2 === 1 ? ['dies'] : []);
    if (kind === 2) await ready(child, kill % 8 === 2 ? 'ready' : 'batch');
    if (kind % 2 === 0) {
      await new Promise((resolve) => setTimeout(resolve, (kill * 53) % (kind === 0 ? 400 : 170)));
      child.process.kill('SIGKILL');
    }
    const { code } = await child.ended;
    if (code !== 0) interrupted++;
    if (code !== 0 && kill < kills - 1) continue;
    expect(await startIndexer(file).ended).toMatchObject({ code: 0, stderr: '' });
    expect(dumpIndex(indexOf(file))).toEqual(undisturbed);
    removeIndex(file);
  }
  expect(interrupted).toBeGreaterThan(kills / 3);
}

/** Several processes index one store at once; together they index everything once. */
export async function indexTogether(processes: number): Promise<void> {
  using folder = tempFolder();
  const file = folder.file('store.db');
  await fillStore(file);
  const children = Array.from({ length: processes }, () => startIndexer(file, '2'));
  for (const child of children) expect(await child.ended).toMatchObject({ code: 0, stderr: '' });
  const together = dumpIndex(indexOf(file));
  expect(together).toEqual(await indexWhole(file));
}

function startIndexer(file: string, rounds = '1', ends: readonly 'dies'[] = []): Child {
  return startChild(SCRIPT, [file, rounds, ...ends]);
}

/** Until it says so, or has ended without saying it because there was nothing left to do. */
async function ready(child: Child, word: string): Promise<void> {
  await Promise.race([child.line(word).catch(() => {}), child.ended]);
}

async function indexWhole(file: string): Promise<ReturnType<typeof dumpIndex>> {
  removeIndex(file);
  {
    await using store = await openSqliteStore(file);
    await using recall = await openRecall(store);
    await recall.catchUp();
  }
  return dumpIndex(indexOf(file));
}

function indexOf(file: string): string {
  return file.replace('.db', '.index.db');
}

function removeIndex(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(indexOf(file) + end, { force: true });
}
