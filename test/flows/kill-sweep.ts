import { expect } from 'vitest';
import { createSession, openSession } from '../../src/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { user } from '../../src/testing/index.ts';
import { startChild, tempFolder } from './child.ts';

/**
 * Kills a writing process again and again, at instants spread over its start and its work, and checks after each kill
 * that nothing acknowledged is gone, the file is sound and the next writer can go on.
 */
export async function killSweep(kills: number): Promise<void> {
  using folder = tempFolder();
  const file = folder.file('store.db');
  const acknowledged: string[] = [];
  {
    await using store = await openSqliteStore(file);
    await (await createSession(store, { id: 'victim' })).close();
  }
  for (let kill = 0; kill < kills; kill++) {
    const child = startChild('write-forever.ts', [file, 'victim']);
    // One in eight dies while it opens the store; the others somewhere in their first writes, counted so that a machine
    // with other things to do gets as far as an idle one.
    if (kill % 8 !== 0) await child.printed(1 + (kill % 9));
    await new Promise((resolve) => setTimeout(resolve, (kill * 37) % (kill % 8 === 0 ? 300 : 25)));
    child.process.kill('SIGKILL');
    await child.ended;
    acknowledged.push(...child.lines.filter((line) => line !== 'ready').flatMap((line) => line.split(' ')));
    await expectAllThere(file, acknowledged, kill % 10 === 9 || kill === kills - 1);
  }
  expect(acknowledged.length).toBeGreaterThan(kills);
}

async function expectAllThere(
  file: string,
  acknowledged: readonly string[],
  thorough: boolean,
): Promise<void> {
  await using store = await openSqliteStore(file);
  // The dead writer's lease does not stand in the way.
  await using session = await openSession(store, 'victim');
  await session.append([user('after the kill')]);
  const last = acknowledged.slice(-50);
  for (const id of thorough ? [] : last) expect(await store.entry('victim', id)).toBeDefined();
  if (!thorough) return;
  const stored: string[] = [];
  for await (const entry of session.entries()) stored.push(entry.id);
  expect(acknowledged.filter((id) => !new Set(stored).has(id))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
  expect((await store.verify()).problems).toEqual([]);
}
