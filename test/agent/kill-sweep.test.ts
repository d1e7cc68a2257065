import { describe, expect, it } from 'vitest';
import { MAYBE_RUN } from '../../src/agent/close-turn.ts';
import { recoverTurn } from '../../src/agent/index.ts';
import { openSession } from '../../src/session/index.ts';
import { tempFolder } from '../flows/child.ts';
import { coatsIn, killAfter, killed } from './kill-turn.ts';
import { effectsIn, INPUT, rehearse, UNINTERRUPTED } from './rehearsed-turn.ts';
import { isEnd, tellEntry } from './told.ts';

// One write here, the worst one; every one of them in kill-sweep.long.test.ts.
describe('a process that is killed with SIGKILL', () => {
  it('right after it wrote that a tool is begun, leaves a turn that ends as if nothing had happened', () =>
    killAfter(5));

  it('while a tool has its effect, never lets it have the effect twice', async () => {
    using folder = tempFolder();
    const { store, effects } = await killed(folder, 'painting');
    const { status } = await rehearse(store, effectsIn(effects));
    expect(status).toBe('complete');
    expect(coatsIn(effects)).toEqual(['1', '2']);
    expect((await store.read('s')).map(tellEntry)).toContain(`tool!: = error ${MAYBE_RUN}`);
    await store[Symbol.asyncDispose]();
  });

  it('in the middle of an answer, leaves its flushed part, marked as interrupted', async () => {
    using folder = tempFolder();
    const { store, effects } = await killed(folder, 'streaming');
    const session = await openSession(store, 's');
    const { closed, unfinished } = await recoverTurn(session);
    expect(unfinished?.id).toBe(INPUT.id);
    expect(closed.map(tellEntry)).toEqual([
      expect.stringMatching(/^assistant!: (?:word ){800,1000}(?!never)/),
    ]);
    await session.close();

    await rehearse(store, effectsIn(effects));
    const log = (await store.read('s')).filter((entry) => !isEnd(entry)).map(tellEntry);
    expect(log.filter((line) => line !== '(partial)' && !line.startsWith('assistant!'))).toEqual(
      UNINTERRUPTED,
    );
    await store[Symbol.asyncDispose]();
  });
});
