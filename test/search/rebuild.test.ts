import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isThroughlineError } from '../../src/errors.ts';
import { forkSession, tagSession, trashSession } from '../../src/session/index.ts';
import { assistant, setting, toolCall, user } from '../../src/testing/index.ts';
import { dumpIndex } from './dump-index.ts';
import { type FileLibrary, openFileLibrary } from './library.ts';

const name = fc.integer({ min: 0, max: 7 }).map((n) => `s${n}`);
const line = fc.constantFrom(
  'we decided to use SQLite instead of files',
  'boats in the harbour',
  'see src/store/log.ts',
  '数据库连接失败',
  'the tide tables of Tuesday',
);
const step = fc.oneof(
  fc.record({ do: fc.constant('append' as const), session: name, text: line }),
  fc.record({ do: fc.constant('append' as const), session: name, text: line }),
  fc.record({ do: fc.constant('call' as const), session: name, text: line }),
  fc.record({ do: fc.constant('fork' as const), session: name, text: name }),
  fc.record({ do: fc.constant('purge' as const), session: name, text: name }),
  fc.record({ do: fc.constant('label' as const), session: name, text: line }),
  fc.record({ do: fc.constant('catch up' as const), session: name, text: name }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The id of a purged session is not used again: such a step changes nothing. */
function unlessPurged(error: unknown): void {
  if (!isThroughlineError(error, 'session-gone')) throw error;
}

async function take({ store, recall }: FileLibrary, { do: what, session, text }: Step, at: number) {
  const info = await store.session(session);
  if (what === 'catch up') await recall.catchUp();
  else if (what === 'append' || what === 'call') {
    const body = what === 'call' ? toolCall('edit', { path: `src/${session}.ts`, text }) : user(text);
    if (info) await store.append(session, [{ at, body }]);
    else
      await store.create({ id: session, createdAt: at }, [
        { at, body: setting('agent', 'Sally') },
        { at, body: assistant(text) },
      ]);
  } else if (!info) return;
  else if (what === 'label') await tagSession(store, session, text);
  else if (what === 'fork' && !(await store.session(text)))
    await forkSession(store, info, { at: 1, id: text });
  else if (what === 'purge') {
    await trashSession(store, session);
    await store.purge(session).catch(() => {});
  }
}

it('made again from the logs, the index is what it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await using library = await openFileLibrary();
      for (const [at, one] of steps.entries()) await take(library, one, at + 1).catch(unlessPurged);
      await library.recall.catchUp();
      const grown = dumpIndex(library.indexFile);
      for (const end of ['', '-wal', '-shm']) rmSync(library.indexFile + end, { force: true });
      await library.recall.catchUp();
      expect(dumpIndex(library.indexFile)).toEqual(grown);
    }),
    { numRuns: 20 },
  );
});
