import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSession } from '../../src/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { type DemoBoard, fillDemoBoard } from './demo-board.ts';
import { hasBrowser, openStage, type Stage, type Window } from './stage.ts';

const LIBRARY = pathToFileURL(path.resolve('dist/index.js')).href;

/** Another program with the same store: what it does is told to nobody but the file. */
async function elsewhere(stage: Stage, script: string): Promise<void> {
  const { location } = stage.store.facts;
  const code = `
    import { openStore, createSession, openSession, openWork } from ${JSON.stringify(LIBRARY)};
    await using store = await openStore(${JSON.stringify(location)});
    ${script}`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
}

// The page asks for nothing by itself, so whatever appears here was told to it.
describe.skipIf(!hasBrowser)('a list that is looked at', () => {
  let stage: Stage;
  let demo: DemoBoard;
  let window: Window;
  const asked: string[] = [];
  beforeAll(async () => {
    stage = await openStage();
    demo = await fillDemoBoard(stage.store, Date.now());
    await using session = await createSession(stage.store, { id: 'here', title: 'Already here' });
    await session.append([user('Hello?'), assistant('Yes.')]);
    window = await stage.open();
    window.page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => asked.push(JSON.parse(String(payload)).method)),
    );
    await window.page.reload();
    await link('Already here').waitFor();
  });
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const link = (name: string) => window.page.getByRole('link', { name: new RegExp(name) });
  const first = () => window.page.locator('.session-link .session-title').first().textContent();

  it('shows a session that another program starts', async () => {
    await elsewhere(
      stage,
      `await using session = await createSession(store, { id: 'theirs', title: 'From elsewhere' });`,
    );
    await link('From elsewhere').waitFor();
  });

  it('moves up what something is said in, and counts it, without asking anything', async () => {
    await expect.poll(first).toBe('From elsewhere');
    const before = asked.length;
    await elsewhere(
      stage,
      `await using session = await openSession(store, 'here');
       await session.append([{ body: { kind: 'message', role: 'user', parts: [{ type: 'text', text: 'And now?' }] } }]);`,
    );
    await expect.poll(first).toBe('Already here');
    expect(await link('Already here').textContent()).toContain('3 messages');
    expect(asked.slice(before)).toEqual([]);
  });

  it('follows a new title, and archived and trashed sessions', async () => {
    const set = (name: string, value: string) =>
      elsewhere(
        stage,
        `await store.append('theirs', [{ body: { kind: 'setting', name: '${name}', value: ${value}, by: 'user' } }]);`,
      );
    await set('title', `'Renamed elsewhere'`);
    await link('Renamed elsewhere').waitFor();
    await set('archived', 'true');
    await expect.poll(() => link('Renamed elsewhere').count()).toBe(0);
  });

  it('is asked for now and then where it cannot be watched', async () => {
    const refusing = await stage.open('', {
      clock: true,
      refuse: { method: 'sessions/watch', code: 'usage' },
    });
    const { page } = refusing;
    await page.getByRole('link', { name: /Already here/ }).waitFor();
    await createSession(stage.store, { id: 'late', title: 'Found by asking' });
    await page.clock.runFor(21_000);
    await page.getByRole('link', { name: /Found by asking/ }).waitFor();
    await refusing.close();
  });

  it('shows a feature and a task that another program plans, and where it is moved', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'Work', exact: true }).click();
    await page.getByRole('region', { name: 'Rate limits', exact: true }).waitFor();
    const plan = (script: string) =>
      elsewhere(
        stage,
        `await using work = await openWork(store, { folder: ${JSON.stringify(demo.folder)} }); ${script}`,
      );
    await plan(`await work.setFeature('search', { name: 'Find orders' });
      await work.setTask('search', 'index', { title: 'Index the orders' });`);
    const feature = page.getByRole('region', { name: 'Find orders', exact: true });
    await feature.getByRole('article', { name: 'Index the orders' }).waitFor();
    await plan(`await work.moveTask('search', 'index', 'in_dev');`);
    await feature
      .getByRole('region', { name: /^In dev/ })
      .getByRole('article', { name: 'Index the orders' })
      .waitFor();
    expect(window.complaints).toEqual([]);
  });
});
