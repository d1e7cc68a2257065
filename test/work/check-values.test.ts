import { describe, expect, it } from 'vitest';
import {
  type CheckOutcome,
  type LoopOptions,
  type MoveOptions,
  openWork,
  type WorkOptions,
} from '../../src/work/index.ts';
import { scriptedLoop } from './scripted-loop.ts';
import { openWorkshop } from './workshop.ts';

describe('a mistake is refused by its name', () => {
  it.each([
    [{ buget: 5 }, 'buget'],
    [{ budget: 0 }, 'budget'],
    [{ budget: -1 }, 'budget'],
    [{ budget: Number.NaN }, 'budget'],
    [{ budget: '5000' }, 'budget'],
    [{ summariser: 'claude' }, 'summariser'],
    [{ now: 12 }, 'now'],
  ])('in the options of openWork: %j', async (options, name) => {
    await using shop = await openWorkshop();
    await expect(openWork(shop.store, options as WorkOptions)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(name),
    });
  });

  it.each<unknown>([{ a: 1 }, undefined, null, 7])('in the content of a message: %j', async (content) => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('pm-feature', 'auth');
    await expect(shop.work.addMessage(id, 'user', content as string)).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(shop.work.buildRequest(id, content as string)).rejects.toMatchObject({ code: 'usage' });
    expect((await shop.store.session(id))!.totals.messages).toBe(0);
  });

  it.each<[string, Record<string, unknown>]>([
    ['ask', { ask: undefined }],
    ['maxIterations', { maxIterations: Number.NaN }],
    ['maxIterations', { maxIterations: 0 }],
    ['no option "maxIteration". Did you mean "maxIterations"?', { maxIteration: 3 }],
    ['no option "onIterations". Did you mean "onIteration"?', { onIterations: () => {} }],
    ['checkpointEvery', { checkpointEvery: -1 }],
    ['signal', { signal: true }],
  ])('in the options of a loop: %s', async (name, options) => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    const given = { ...scriptedLoop(1), ...options } as LoopOptions;
    await expect(shop.work.runLoop(id, given)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(name),
    });
  });

  it.each<[string, Partial<LoopOptions>]>([
    ['prompt', { prompt: () => undefined as unknown as string }],
    ['ask', { ask: async () => undefined as unknown as string }],
    ['ask', { ask: async () => ' \n' }],
    ['check', { check: async () => undefined as unknown as CheckOutcome }],
    ['check', { check: async () => ({ passed: [], failed: 'test' }) as unknown as CheckOutcome }],
  ])('in the value that %s gives, and the iteration is not used up', async (name, options) => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    await expect(shop.work.runLoop(id, scriptedLoop(2, options))).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`\`${name}\` gave for iteration 1`),
    });
    expect(await shop.work.runLoop(id, scriptedLoop(2))).toMatchObject({ status: 'passed', iterations: 2 });
    expect((await shop.store.session(id))!.totals.messages).toBe(4);
  });

  it('in the fields of a feature or a task, and nothing is written', async () => {
    await using shop = await openWorkshop();
    const written = async () => JSON.stringify(await shop.work.features());
    const before = await written();
    for (const [set, message] of [
      [() => shop.work.setFeature('auth', { titel: 'x' } as never), 'setFeature has no option "titel"'],
      [() => shop.work.setFeature('auth', { specfile: 'x' } as never), 'Did you mean "specFile"?'],
      [() => shop.work.setTask('auth', 'login', { dependson: ['x'] } as never), 'Did you mean "dependsOn"?'],
    ] as const)
      await expect(set()).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining(message),
      });
    expect(await written()).toBe(before);
  });

  it('in the options of a move, and nothing moves', async () => {
    await using shop = await openWorkshop();
    const options = { forse: true } as MoveOptions;
    await expect(shop.work.moveTask('auth', 'login', 'done', options)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('"forse"'),
    });
    await expect(shop.work.moveFeature('auth', 'done', options)).rejects.toMatchObject({ code: 'usage' });
  });

  it('in an outcome that is recorded', async () => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    const outcome = { passed: ['build'] } as unknown as CheckOutcome;
    await expect(shop.work.recordLoop(id, 1, outcome)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('failed'),
    });
  });
});
