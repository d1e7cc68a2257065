import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../src/faces/rpc/index.ts';
import { TASK_WORKFLOW } from '../../src/project/index.ts';
import { nameFor } from '../../web/work/name-for.ts';
import { columnsFor, otherStates, sayState } from '../../web/work/workflow.ts';
import { type DemoBoard, fillDemoBoard } from './demo-board.ts';
import { hasBrowser, openStage, READER, type Stage, type Window } from './stage.ts';

describe('the states of a task', () => {
  it('are all there to be insisted on, each once', () => {
    for (const [state, next] of Object.entries(TASK_WORKFLOW))
      expect([state, ...next, ...otherStates({ state, next })].toSorted()).toEqual(
        Object.keys(TASK_WORKFLOW).toSorted(),
      );
  });

  it('have columns in the order tasks go, and further ones only where something is in them', () => {
    const standard = ['planning', 'in_dev', 'in_qa', 'in_merge', 'done'];
    expect(columnsFor([])).toEqual(standard);
    expect(columnsFor(['in_review', 'cancelled', 'done', 'blocked'])).toEqual([
      ...standard,
      'blocked',
      'cancelled',
      'in_review',
    ]);
    expect(['in_qa', 'planning', 'in-review'].map(sayState)).toEqual(['In QA', 'Planning', 'In review']);
  });
});

describe('the name of a planned feature', () => {
  it('is one that the server takes, and never one that is taken', () => {
    const name = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('Sign in', 'Über', '…'),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (titles) => {
        const taken: string[] = [];
        for (const title of titles) {
          const made = nameFor(title, { taken, otherwise: 'task' });
          const place = { project: 'shop', feature: 'auth', task: made };
          expect(METHODS['work/task/set'].params.safeParse(place).success).toBe(true);
          expect(taken).not.toContain(made);
          taken.push(made);
        }
      }),
    );
    expect(nameFor('Über die Brücke: Teil 2', { taken: [], otherwise: 'task' })).toBe(
      'uber-die-brucke-teil-2',
    );
    expect(nameFor('登录', { taken: ['task'], otherwise: 'task' })).toBe('task-2');
  });
});

describe.skipIf(!hasBrowser)('planning on the board', () => {
  let stage: Stage;
  let demo: DemoBoard;
  let window: Window;
  beforeAll(async () => {
    stage = await openStage();
    demo = await fillDemoBoard(stage.store, Date.now());
    window = await stage.open();
    await window.page.getByRole('link', { name: 'Work', exact: true }).click();
  });
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const feature = (name: string) => window.page.getByRole('region', { name, exact: true });
  const card = (name: string) => window.page.getByRole('article', { name, exact: true });

  it('takes another feature, and another task', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Feature', exact: true }).click();
    let dialog = page.getByRole('dialog', { name: 'Another feature' });
    await dialog.getByLabel('Title').fill('Rate limits');
    await dialog.getByText('rate-limits-2').waitFor();
    await dialog.getByLabel('Title').fill('Find orders');
    await dialog.getByLabel('Specification').fill('By **number** and by name.');
    await dialog.getByRole('button', { name: 'Add the feature' }).click();
    const added = feature('Find orders');
    await added.getByText('No tasks yet.').waitFor();
    await added.getByRole('button', { name: 'Task for “Find orders”' }).click();
    dialog = page.getByRole('dialog', { name: 'Another task for “Find orders”' });
    await dialog.getByLabel('Title').fill('Index the orders');
    await dialog.getByLabel('What is to be done').fill('Every night.');
    await dialog.getByLabel('Title').press('Enter');
    await card('Index the orders').getByText('Every night.').waitFor();
    expect(await demo.work.feature('find-orders')).toMatchObject({
      name: 'Find orders',
      spec: 'By **number** and by name.',
    });
    expect(await demo.work.task('find-orders', 'index-the-orders')).toMatchObject({
      title: 'Index the orders',
      state: 'planning',
    });
  });

  it('offers nothing to a reader', async () => {
    const reader = await stage.open('', { token: READER });
    await reader.page.evaluate(`location.hash = '#/work'`);
    await reader.page.getByRole('article', { name: 'Keep the buckets in Redis' }).waitFor();
    const board = reader.page.getByRole('main');
    for (const name of [/^Move/, /^Task for/, /^Feature$/])
      expect(await board.getByRole('button', { name }).count()).toBe(0);
    expect(await card('Keep the buckets in Redis').getByRole('button', { name: /^Move/ }).count()).toBe(1);
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  it('begins with the first feature where nothing is planned', async () => {
    const { page } = window;
    await demo.elsewhere('empty-shop');
    await page.reload();
    await page.getByLabel('Project of the board').selectOption({ label: 'empty-shop' });
    await page.getByRole('button', { name: 'Plan a feature' }).click();
    await page.getByLabel('Title').fill('The first one');
    await page.getByRole('button', { name: 'Add the feature' }).click();
    await feature('The first one').getByText('No tasks yet.').waitFor();
    expect(window.complaints).toEqual([]);
  });
});
