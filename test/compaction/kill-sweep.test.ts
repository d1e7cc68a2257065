import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import type { Entry } from '../../src/record/index.ts';
import { createSession, openSession, readFrontier, type Session } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { assistant, crashAfter, user } from '../../src/testing/index.ts';
import { startChild, tempFolder } from '../flows/child.ts';

const SCRIPT = path.join('..', 'compaction', 'killed-compaction.ts');
const settings = { ...PRESETS.window, keep: { messages: 2 } };
const words = 'it happens while streaming, and the parser then loses the rest of the line. '.repeat(2);

/** The sixteenth compaction: four of the first level become one of the second, and four of those one of the third. */
const BEFORE = 15;
const WRITES = 3;

const folder = tempFolder();
const base = folder.file('base.db');
let log: Entry[] = [];
/** What is seen after so many writes of a compaction that nothing disturbs. */
const seen: string[] = [];

async function talk(session: Session): Promise<void> {
  for (let n = 0; n < 3; n++)
    await session.append([user(`Ask ${n} ${words}`), assistant(`Say ${n} ${words}`)]);
}

async function shapeOf(store: Store): Promise<string> {
  const frontier = await readFrontier(store, (await store.session('s'))!);
  return frontier
    .map(({ seq, body }) =>
      body.kind === 'compaction' ? `L${body.level}(${body.covers.from}-${body.covers.to})` : seq,
    )
    .join(' ');
}

const levelsOf = (shape: string) => shape.match(/L\d/g)!.join(' ');

async function goOn(store: Store): Promise<string> {
  await using session = await openSession(store, 's');
  await talk(session);
  await compactSession(session, { settings });
  return shapeOf(store);
}

beforeAll(async () => {
  const store = await openSqliteStore(base);
  const session = await createSession(store, { id: 's' });
  for (let n = 0; n < BEFORE; n++) {
    await talk(session);
    await compactSession(session, { settings });
  }
  await talk(session);
  log = await session.read();
  await session.close();
  await store[Symbol.asyncDispose]();

  for (let writes = 0; writes <= WRITES; writes++) {
    const copy = await openCopy(`undisturbed-${writes}`);
    const one = await openSession(crashAfter(copy, writes), 's', { mode: 'join' });
    const made = compactSession(one, { settings });
    await (writes < WRITES ? expect(made).rejects.toThrow('crash') : made);
    seen.push(await shapeOf(copy));
    await copy[Symbol.asyncDispose]();
  }
}, 60_000);

afterAll(() => folder[Symbol.dispose]());

function openCopy(name: string): Promise<Store> {
  copyFileSync(base, folder.file(`${name}.db`));
  return openSqliteStore(folder.file(`${name}.db`));
}

describe('a compaction with merges, in a file', () => {
  it('is one write for each summary, and each leaves a frontier that is whole', () => {
    expect(new Set(seen).size).toBe(WRITES + 1);
    expect(seen.map(levelsOf)).toEqual(['L2 L2 L2 L1 L1 L1', 'L2 L2 L2 L1 L1 L1 L1', 'L2 L2 L2 L2', 'L3']);
  });

  const KILLS = [
    { when: 'before', writes: 1, left: 0 },
    ...[1, 2, 3].map((writes) => ({ when: 'after', writes, left: writes })),
  ];

  it.each(KILLS)(
    'killed $when write $writes: the old frontier or the new one, and the next one goes on',
    async (kill) => {
      const { when, writes, left } = kill;
      const file = folder.file(`${when}-${writes}.db`);
      copyFileSync(base, file);
      const { signal, stderr } = await startChild(SCRIPT, [file, when, String(writes)]).ended;
      expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });

      const store = await openSqliteStore(file);
      expect(await shapeOf(store)).toBe(seen[left]);
      expect((await store.read('s')).slice(0, log.length)).toEqual(log);
      expect((await store.verify()).problems).toEqual([]);
      // It is the sixteenth, or the seventeenth, and merges what was left to be merged.
      expect(levelsOf(await goOn(store))).toBe(left === 0 ? 'L3' : 'L3 L1');
      await store[Symbol.asyncDispose]();
    },
    60_000,
  );
});
