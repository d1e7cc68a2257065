import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Loop } from '../../src/record/index.ts';
import { forkSession, openSession } from '../../src/session/index.ts';
import { openWork } from '../../src/work/index.ts';
import { scriptedLoop } from './scripted-loop.ts';
import { openWorkshop } from './workshop.ts';

const PASSES = async () => ({ passed: ['build', 'test'], failed: [] });

describe('a loop whose task was sent back', () => {
  it('runs again although every check passes, with the reason, once for each return', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    await work.moveTask('auth', 'login', 'in_dev');
    const id = await work.getOrCreateSession('dev-task', 'auth', 'login');
    expect(await work.runLoop(id, scriptedLoop(2))).toMatchObject({ status: 'passed', iterations: 2 });
    for (const round of [1, 2]) {
      await work.moveTask('auth', 'login', 'in_qa');
      await work.moveTask('auth', 'login', 'in_dev', { reason: `QA found bug ${round}` });
      expect(await work.getOrCreateSession('dev-task', 'auth', 'login')).toBe(id);
      const before: (Loop | undefined)[] = [];
      const again = scriptedLoop(3, {
        check: PASSES,
        prompt: (_, last) => {
          before.push(last);
          return 'Mend what QA found.';
        },
      });
      expect(await work.runLoop(id, again)).toMatchObject({ status: 'passed', iterations: 2 + round });
      expect(before).toMatchObject([{ failed: ['in_qa'], lastError: `QA found bug ${round}` }]);
      expect(again.requests[0]!.systemPrompt).toContain(`Last error:\nQA found bug ${round}`);
      const { head } = (await shop.store.session(id))!;
      expect(await work.runLoop(id, again)).toMatchObject({ status: 'passed', iterations: 2 + round });
      expect((await shop.store.session(id))!.head).toBe(head);
    }
  });

  it('has its number of iterations for each round, also when a round is killed and run again', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    await work.moveTask('auth', 'login', 'in_dev');
    const id = await work.getOrCreateSession('dev-task', 'auth', 'login');
    expect(await work.runLoop(id, scriptedLoop(3, { maxIterations: 3 }))).toMatchObject({ status: 'passed' });
    await work.moveTask('auth', 'login', 'in_qa');
    await work.moveTask('auth', 'login', 'in_dev');
    const dies = scriptedLoop(9, { maxIterations: 3, ask: () => Promise.reject(new Error('killed')) });
    await expect(work.runLoop(id, dies)).rejects.toThrow('killed');
    const fails = async () => ({ passed: [], failed: ['test'] });
    expect(await work.runLoop(id, scriptedLoop(9, { maxIterations: 3, check: fails }))).toMatchObject({
      status: 'limit',
      iterations: 6,
    });
  });

  it('says so to an orchestrator with another loop, until that records how the next iteration came out', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    await work.moveTask('auth', 'login', 'in_dev');
    const id = await work.getOrCreateSession('dev-task', 'auth', 'login');
    const request = async () => (await work.buildRequest(id, 'Go on.')).systemPrompt;
    await work.recordLoop(id, 3, await PASSES());
    expect(await request()).toContain('Iteration 3 is done. Passed: build, test. Failed: nothing.');
    await work.moveTask('auth', 'login', 'in_qa');
    await work.moveTask('auth', 'login', 'in_dev', { reason: 'The form loses its second field.' });
    expect(await request()).toContain('Failed: in_qa.\n\nLast error:\nThe form loses its second field.');
    await work.recordLoop(id, 4, await PASSES());
    expect(await request()).toContain('Iteration 4 is done. Passed: build, test. Failed: nothing.');
    expect(await work.runLoop(id, scriptedLoop(1, { check: PASSES }))).toMatchObject({ iterations: 4 });
  });

  it('is not sent back by a first move into the state, nor by moves before it began', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login', 'dev', 'in_dev');
    for (const state of ['in_dev', 'in_qa', 'in_dev']) await work.moveTask('auth', 'login', state);
    expect(await work.runLoop(id, scriptedLoop(1))).toMatchObject({ status: 'passed', iterations: 1 });
    expect(await work.runLoop(id, scriptedLoop(1))).toMatchObject({ status: 'passed', iterations: 1 });
  });
});

describe('a message for a running loop', () => {
  it('waits in the log, is in the next request once, and keeps its order and its id', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ iteration: fc.integer({ min: 1, max: 3 }), twice: fc.boolean() }), {
          maxLength: 5,
        }),
        async (plan) => {
          await using shop = await openWorkshop();
          const { work, store } = shop;
          await using other = await openWork(store, { folder: shop.repository.path });
          const id = await work.createSession('dev-task', 'auth', 'login');
          const said: { id: string; text: string; iteration: number }[] = [];
          const script = scriptedLoop(3);
          const ask: typeof script.ask = async (request, run) => {
            for (const [at, { iteration, twice }] of plan.entries()) {
              if (iteration !== run.iteration) continue;
              const text = `Note ${at} of another process.`;
              const entry = await other.addMessage(id, 'user', text);
              expect(entry.waiting).toBe(true);
              if (twice) await other.addMessage(id, 'user', text, { id: entry.id });
              await expect(other.addMessage(id, 'user', 'Else.', { id: entry.id })).rejects.toMatchObject({
                code: 'entry-conflict',
              });
              said.push({ id: entry.id, text, iteration });
            }
            return script.ask(request, run);
          };
          expect(await work.runLoop(id, { ...script, ask })).toMatchObject({ status: 'passed' });
          for (const { text, iteration } of said) {
            const seen = script.requests.map(({ systemPrompt }) => systemPrompt.split(text).length - 1);
            expect(seen).toEqual([1, 2, 3].map((n) => (n > iteration ? 1 : 0)));
          }
          const messages = await store.read(id, { only: 'messages' });
          const ids = new Set(said.map((one) => one.id));
          expect(messages.filter((entry) => ids.has(entry.id)).map((entry) => entry.id)).toEqual(
            said.map((one) => one.id),
          );
          expect(messages).toHaveLength(6 + said.length);
          const left = Object.keys((await store.session(id))!.state.settings).filter((name) =>
            name.startsWith('left:'),
          );
          expect(left).toEqual([]);
        },
      ),
      { numRuns: 12 },
    );
  }, 60_000);

  it('is taken by the next writer when the loop ended before, and by no fork', async () => {
    await using shop = await openWorkshop();
    const { work, store } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    {
      await using _loop = await openSession(store, id, { owner: 'work loop' });
      expect((await work.addMessage(id, 'user', 'Left here.')).waiting).toBe(true);
    }
    const fork = await forkSession(store, (await store.session(id))!);
    expect((await work.buildRequest(id, 'Go on.')).systemPrompt).toContain('**User**: Left here.');
    expect((await work.buildRequest(fork.id, 'Go on.')).systemPrompt).not.toContain('Left here.');
    expect((await store.session(fork.id))!.totals.messages).toBe(0);
  });
});
