import { describe, expect, it } from 'vitest';
import { mergeBranch } from '../../src/branches/index.ts';
import { readCheckpoint } from '../../src/compaction/index.ts';
import type { Merge } from '../../src/record/index.ts';
import { openSession } from '../../src/session/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { crashAfter } from '../../src/testing/index.ts';
import { startChild, tempFolder } from '../flows/child.ts';
import { type Bench, STORES } from '../session/stores.ts';
import { contextOf } from '../support/context-of.ts';
import { FILES, infoOf, twoPlans } from './plans.ts';

/** All that a merge can change: the log, the checkpoint, and what the model is sent. */
async function stateOf({ store }: Pick<Bench, 'store'>) {
  const info = await infoOf({ store }, 'main');
  return {
    kinds: (await store.read('main')).map(({ body }) => body.kind),
    lines: (await readCheckpoint(store, info)).decisions.map(({ text }) => text),
    merged: (await contextOf(store, info, { budget: { window: 16_000 } })).messages.length,
  };
}

/** More than any merge writes, so that the last of the sweep gets through. */
const MOST_WRITES = 3;

describe.each(STORES)('a merge that dies after any number of writes, in a $kind store', ({ open }) => {
  it('leaves the old state or the new one, and done again ends in the new one', async () => {
    const outcomes: string[] = [];
    for (let writes = 0; writes <= MOST_WRITES; writes++) {
      await using bench = await open();
      await twoPlans(bench);
      const before = await stateOf(bench);
      const disk = await infoOf(bench, 'disk');
      const dying = await openSession(crashAfter(bench.store, writes), 'main', { mode: 'join' });
      const died = await mergeBranch(dying, disk, { rule: 'theirs' }).then(
        () => false,
        (error: Error) => error.message === 'crash',
      );
      const between = await stateOf(bench);
      await using session = await openSession(bench.store, 'main');
      await mergeBranch(session, disk, { rule: 'theirs' });
      const after = await stateOf(bench);
      expect(after).toEqual({
        kinds: [...before.kinds, 'merge'],
        lines: [FILES],
        merged: before.merged + 1,
      });
      expect([before, after]).toContainEqual(between);
      outcomes.push(
        `${died ? 'died' : 'done'}: ${between.kinds.length === before.kinds.length ? 'old' : 'new'}`,
      );
    }
    expect(outcomes).toEqual(['died: old', ...Array.from({ length: MOST_WRITES }, () => 'done: new')]);
  });
});

describe('a process that merges and is killed at any instant', () => {
  it('has merged each branch state wholly or not at all', async () => {
    using folder = tempFolder();
    const file = folder.file('store.db');
    const acknowledged: string[] = [];
    {
      await using store = await openSqliteStore(file);
      const bench = { store, clock: { now: Date.now, advance() {} }, async [Symbol.asyncDispose]() {} };
      await twoPlans(bench);
    }
    for (let kill = 0; kill < 5; kill++) {
      const child = startChild('../branches/merge-forever.ts', [file]);
      await child.line('merged');
      await new Promise((resolve) => setTimeout(resolve, (kill * 37) % 120));
      child.process.kill('SIGKILL');
      await child.ended;
      acknowledged.push(...child.lines.map((line) => line.split(' ')[1]!));
      await using store = await openSqliteStore(file);
      const merges = (await store.read('main')).filter(({ body }) => body.kind === 'merge');
      expect(acknowledged.filter((id) => !merges.some((entry) => entry.id === id))).toEqual([]);
      // Each brings what came after the one before it, so none is there twice and none is torn.
      const heads = merges.map(({ body }) => (body as Merge).head);
      expect(new Set(heads).size).toBe(heads.length);
      expect(heads).toEqual([...heads].sort((a, b) => a - b));
      expect((await store.verify()).problems).toEqual([]);
      // Whoever comes next finishes what was begun, and finds nothing left.
      await using session = await openSession(store, 'main');
      const disk = await infoOf({ store }, 'disk');
      await mergeBranch(session, disk, { rule: 'both' });
      expect((await mergeBranch(session, disk, { rule: 'both' })).nothing).toBe(true);
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(5);
  });
});
