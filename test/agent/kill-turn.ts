import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { MAYBE_RUN } from '../../src/agent/close-turn.ts';
import { createSession } from '../../src/session/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { startChild, tempFolder } from '../flows/child.ts';
import { effectsIn, rehearse, UNINTERRUPTED } from './rehearsed-turn.ts';
import { tellEntry } from './told.ts';

const SCRIPT = path.join('..', 'agent', 'killed-turn.ts');

/** Lets a process run the turn until it is killed, and gives the store and the file that effects are counted in. */
export async function killed(
  folder: { file(name: string): string },
  when: number | 'streaming' | 'painting',
) {
  const [file, effects] = [folder.file('store.db'), folder.file('coats')];
  {
    await using store = await openSqliteStore(file);
    await (await createSession(store, { id: 's' })).close();
  }
  const { signal, stderr } = await startChild(SCRIPT, [file, effects, String(when)]).ended;
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
  return { store: await openSqliteStore(file), effects };
}

export const coatsIn = (file: string) =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];

/** Kills a turn right after so many writes, lets another process finish it, and compares the logs. */
export async function killAfter(writes: number): Promise<void> {
  using folder = tempFolder();
  const { store, effects } = await killed(folder, writes);
  await rehearse(store, effectsIn(effects));

  const log = (await store.read('s')).map(tellEntry);
  // Begun and not told of: whether the coat went on, nobody knows. Here it did not, and it is not put on again.
  const begun =
    UNINTERRUPTED[writes - 1] === '(started)' && UNINTERRUPTED[writes]!.startsWith('tool: = coat');
  const lost = begun ? writes : -1;
  expect(log).toEqual(UNINTERRUPTED.map((same, at) => (at === lost ? `tool!: = error ${MAYBE_RUN}` : same)));
  expect(coatsIn(effects)).toHaveLength(lost < 0 ? 2 : 1);
  expect(new Set(coatsIn(effects)).size).toBe(coatsIn(effects).length);
  await store[Symbol.asyncDispose]();
}
