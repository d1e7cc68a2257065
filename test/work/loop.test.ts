import { describe, expect, it } from 'vitest';
import { countText } from '../../src/tokens/index.ts';
import { openWork } from '../../src/work/index.ts';
import { BLOCKER, DECISION, scriptedLoop } from './scripted-loop.ts';
import { openWorkshop } from './workshop.ts';

describe('a loop', () => {
  it('goes on until everything passes, and writes down how each iteration came out', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    const id = await work.getOrCreateSession('dev-task', 'auth', 'login', 'in_dev');
    const script = scriptedLoop(4);
    const result = await work.runLoop(id, script);
    expect(result).toMatchObject({ status: 'passed', iterations: 4 });
    const loops = (await shop.store.read(id, { only: 'notes' })).flatMap(({ body }) =>
      body.kind === 'loop' ? [body] : [],
    );
    expect(loops.map(({ iteration, failed }) => [iteration, failed.length])).toEqual([
      [1, 2],
      [2, 2],
      [3, 2],
      [4, 0],
    ]);
    expect((await work.checkpoint(id)).ralphLoop).toEqual({
      currentIteration: 4,
      passedChecks: ['build', 'lint', 'test'],
      failedChecks: [],
    });
    expect(script.requests[1]!.systemPrompt).toContain('Last error:\nAssertionError: part 1 is wrong');
    expect(script.requests[1]!.userPrompt).toBe('Mend lint and test. This is try 2.');
    expect(await work.runLoop(id, script)).toMatchObject({ status: 'passed', iterations: 4 });
    expect(script.requests).toHaveLength(4);
  });

  it('that has passed is checked again when it is run again, and goes on if a check fails now', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    await work.runLoop(id, scriptedLoop(2));
    const checked: number[] = [];
    const again = scriptedLoop(2, {
      maxIterations: 9,
      async check({ iteration }) {
        checked.push(iteration);
        const failed = iteration < 4 ? ['qa'] : [];
        return { passed: ['build'], failed, lastError: failed.length > 0 ? 'the tester found a bug' : null };
      },
    });
    expect(await work.runLoop(id, again)).toMatchObject({ status: 'passed', iterations: 4 });
    expect(checked).toEqual([2, 3, 4]);
    expect(again.requests).toHaveLength(2);
    expect(again.requests[0]!.userPrompt).toBe('Mend qa. This is try 3.');
    expect(again.requests[0]!.systemPrompt).toContain('Last error:\nthe tester found a bug');
    const { head } = (await shop.store.session(id))!;
    expect(await work.runLoop(id, again)).toMatchObject({ status: 'passed', iterations: 4 });
    expect((await shop.store.session(id))!.head).toBe(head);
  });

  it('ends at its limit, and goes on when it is given more', async () => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    expect(await shop.work.runLoop(id, scriptedLoop(5, { maxIterations: 2 }))).toMatchObject({
      status: 'limit',
      iterations: 2,
    });
    const more = scriptedLoop(5);
    expect(await shop.work.runLoop(id, more)).toMatchObject({ status: 'passed', iterations: 5 });
    expect(more.requests).toHaveLength(3);
  });

  it('stops on request, and goes on with the same question later', async () => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    const stop = new AbortController();
    const slow = scriptedLoop(5, {
      signal: stop.signal,
      async ask() {
        stop.abort();
        throw new Error('stopped');
      },
    });
    expect(await shop.work.runLoop(id, slow)).toMatchObject({ status: 'stopped', iterations: 0 });
    expect(await shop.work.runLoop(id, scriptedLoop(5))).toMatchObject({ status: 'passed' });
    expect((await shop.store.session(id))!.totals.queries).toBe(5);
  });

  it('keeps the question when the agent fails, and asks it again', async () => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    const broken = scriptedLoop(2, { ask: () => Promise.reject(new Error('no network')) });
    await expect(shop.work.runLoop(id, broken)).rejects.toThrow('no network');
    expect(await shop.work.runLoop(id, scriptedLoop(2))).toMatchObject({ status: 'passed' });
    expect((await shop.store.session(id))!.totals.messages).toBe(4);
  });

  it('asks no answered question again: only unwritten steps are repeated', async () => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    let answers = 0;
    let dies = true;
    const script = scriptedLoop(2, {
      ask: async () => `Answer ${++answers}.`,
      async check({ iteration }) {
        if (iteration === 2 && dies) throw new Error('killed');
        return { passed: [], failed: iteration === 2 ? [] : ['test'] };
      },
    });
    await expect(shop.work.runLoop(id, script)).rejects.toThrow('killed');
    dies = false;
    expect(await shop.work.runLoop(id, script)).toMatchObject({ status: 'passed', iterations: 2 });
    expect([answers, script.applied]).toEqual([2, ['Answer 1.', 'Answer 2.', 'Answer 2.']]);
  });

  it('is alone in its session: a second one gets the holder', async () => {
    await using shop = await openWorkshop();
    await using other = await openWork(shop.store, { folder: shop.repository.path });
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<string>();
    const ask = () => {
      asked.resolve();
      return answer.promise;
    };
    const first = shop.work.runLoop(id, scriptedLoop(1, { ask }));
    await asked.promise;
    await expect(other.runLoop(id, scriptedLoop(1))).rejects.toMatchObject({ code: 'lease-held' });
    await shop.work.addMessage(id, 'user', 'From the one who holds it.');
    answer.resolve('I changed it.');
    expect((await first).status).toBe('passed');
  });

  it('records an outcome found elsewhere', async () => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    await shop.work.recordLoop(id, 7, {
      passed: ['build'],
      failed: ['test'],
      lastError: `${'x'.repeat(9000)} the end`,
    });
    const { ralphLoop } = await shop.work.checkpoint(id);
    expect(ralphLoop).toMatchObject({ currentIteration: 7, passedChecks: ['build'], failedChecks: ['test'] });
    expect(ralphLoop!.lastError!.length).toBe(4000);
    expect(ralphLoop!.lastError).toMatch(/the end$/);
  });
});

it('a loop that is far under its budget is not compacted, and its requests hold every word', async () => {
  await using shop = await openWorkshop();
  const id = await shop.work.createSession('dev-task', 'auth', 'login');
  const stated = (iteration: number) => `Decision: module ${iteration} is built by plan ${iteration}.`;
  const script = scriptedLoop(30);
  const ask: typeof script.ask = async (request, run) => {
    await script.ask(request, run);
    return stated(run.iteration);
  };
  await shop.work.runLoop(id, { ...script, ask });
  expect((await shop.work.checkpoint(id)).version).toBe(0);
  const last = script.requests.at(-1)!;
  expect(last.totalTokens).toBeLessThan(shop.work.budget / 10);
  for (let iteration = 1; iteration < 30; iteration++) expect(last.systemPrompt).toContain(stated(iteration));
});

it('500 iterations: every request is under the budget, nothing that was decided is lost, and what it saved adds up', async () => {
  const budget = 6000;
  await using shop = await openWorkshop({ budget });
  const { work } = shop;
  const id = await work.createSession('dev-task', 'auth', 'login');
  const script = scriptedLoop(500);
  expect(await work.runLoop(id, script)).toMatchObject({ status: 'passed', iterations: 500 });

  expect(script.requests).toHaveLength(500);
  const sizes = script.requests.map(({ systemPrompt, userPrompt, totalTokens }) => {
    expect(countText(systemPrompt) + countText(userPrompt)).toBe(totalTokens);
    return totalTokens;
  });
  expect(Math.max(...sizes)).toBeLessThanOrEqual(budget);

  const { summary, tokens, version, ralphLoop } = await work.checkpoint(id);
  expect(summary.decisions).toContain(DECISION);
  expect(summary.blockers).toContain(BLOCKER);
  expect(ralphLoop!.currentIteration).toBe(500);
  const last = script.requests.at(-1)!.systemPrompt;
  expect([last.includes(DECISION), last.includes(BLOCKER)]).toEqual([true, true]);
  // Every seventh iteration decides something: it stands in the checkpoint, or in messages that are still sent.
  for (let iteration = 7; iteration < 500; iteration += 7) {
    const decided = `module ${iteration} is built by plan ${iteration}.`;
    expect(summary.decisions.includes(decided) || last.includes(decided), decided).toBe(true);
  }

  const notes = await shop.store.read(id, { only: 'notes' });
  const compactions = notes.flatMap(({ body }) => (body.kind === 'compaction' ? [body] : []));
  expect(version).toBe(compactions.length);
  expect(tokens.totalSaved).toBe(
    compactions.reduce(
      (sum, { tokensBefore, tokensAfter }) => sum + Math.max(0, tokensBefore - tokensAfter),
      0,
    ),
  );
  expect(tokens.totalSaved).toBeGreaterThan(20_000);
  expect((await shop.store.session(id))!.totals.messages).toBe(1000);
}, 60_000);
