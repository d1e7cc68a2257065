import { writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFailed, vi } from 'vitest';
import { giveConsent } from '../../src/agent/index.ts';
import { createSession, openSession, openStore } from '../../src/index.ts';
import { user } from '../../src/testing/index.ts';
import { type Served, startServe } from '../faces/rpc/served.ts';
import { tempFolder } from '../flows/child.ts';
import { launchChromium } from '../support/chromium.ts';
import { callTool, held, reply, type Step, unauthorized } from '../support/wire-script.ts';
import { startWireServer, type WireRequest, type WireServer } from '../support/wire-server.ts';
import { CAN_FILL_DISK, fillDisk } from '../turns/play.ts';
import { hasBrowser } from './stage.ts';
import { FAULTS, FULL, HALF, ROWS, type Row } from './turn-rows.ts';

describe.skipIf(!hasBrowser)('an answer that is not complete', () => {
  const folder = tempFolder();
  const location = folder.file('sessions.db');
  const agent = folder.file('agent.mjs');
  let steps: Step[] = [];
  // The last step is for every further request too: a provider that refuses does so again when it is tried again.
  const byStep = () => (steps.length > 1 ? steps.shift()! : steps[0]!);
  let rule: (request: WireRequest) => Step = byStep;
  let count = 0;
  let model: WireServer;
  let served: Served;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  const start = async () => {
    served = await startServe(location, [], { ...model.env, HOME: folder.path });
  };
  const show = async (id: string) => {
    await page.goto('about:blank');
    await page.goto(`${served.url}#token=${served.token}`);
    await page.evaluate(`location.hash = '#/session/${id}'`);
    await page.getByRole('heading', { level: 1, name: id }).waitFor();
  };

  beforeAll(async () => {
    vi.stubEnv('HOME', folder.path);
    const schema = `{ type: 'object', properties: {} }`;
    writeFileSync(
      agent,
      `export const name = 'Carl'; export const instructions = 'Be careful.';
       const stopped = (signal) => new Promise((_, no) => signal.addEventListener('abort', () => no(new Error('stopped'))));
       export const tools = {
         look: { inputSchema: ${schema}, execute: () => 'seen' },
         wait: { inputSchema: ${schema}, execute: (_, { abortSignal }) => stopped(abortSignal) },
       };`,
    );
    await giveConsent(agent);
    model = await startWireServer('openai-chat', (request) => rule(request));
    browser = await launchChromium(inject('chromium'));
    page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    page.setDefaultTimeout(30_000);
    page.on('pageerror', ({ message }) => complaints.push(message));
    await start();
  }, 60_000);
  // A server that a failed row left with a full disk would fail the rows behind it.
  beforeEach(() => {
    onTestFailed(async () => {
      await served.end('SIGKILL');
      await start();
    });
  });
  afterAll(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
    folder[Symbol.dispose]();
  });

  const begin = async () => {
    rule = byStep;
    const id = `talk-${++count}`;
    await using store = await openStore(location);
    await (await createSession(store, { id, title: id, settings: { agentPath: agent } })).close();
    await show(id);
    return id;
  };
  const say = async (text: string) => {
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.getByLabel('Message', { exact: true }).press('Enter');
  };
  const rows = (text: string) => page.locator('.row[data-kind="message"]').filter({ hasText: text });
  const end = () => page.locator('.turn-end, .live-end .problem');
  const live = () => page.locator('.row[data-kind="live"]');

  /** Brings a turn to the place of the row, and lets it happen. */
  async function happen(id: string, { by, at, waiting, steps: script }: Row): Promise<void> {
    const before = model.requests.length;
    steps = [...script];
    await say('Tell me a story.');
    await model.received(before + script.length);
    if (at === 'half') await live().getByText('Once upon a time').waitFor();
    if (at === 'tool') await live().getByText('Running wait').waitFor();
    if (waiting) {
      await say('And another one.');
      await page.getByText('Stored. Answered next.').waitFor();
    }
    if (by === 'stop') await page.getByRole('button', { name: 'Stop' }).click();
    if (by === 'provider' || by === 'stop') return;
    // What there is of an answer is written down at least once a second.
    if (by === 'SIGKILL' && at === 'half') await flushed(id);
    await served.end(by);
    await start();
    await show(id);
  }

  async function flushed(id: string): Promise<void> {
    await using store = await openStore(location);
    await expect
      .poll(
        async () => (await store.read(id)).some(({ body }) => body.kind === 'run' && body.step === 'partial'),
        { timeout: 30_000 },
      )
      .toBe(true);
  }

  it.runIf(CAN_FILL_DISK).each(FULL)(
    'keeps the question when the disk is full, and asks again when there is room: $what',
    async ({ steps: script, at, waiting }) => {
      const id = await begin();
      const full = Promise.withResolvers<void>();
      const before = model.requests.length;
      steps = script(full.promise);
      const asked = steps.length;
      await say('Tell me a story.');
      await model.received(before + asked);
      if (at === 'half') await live().getByText('Once upon a time').waitFor();
      if (waiting) {
        await say('And another one.');
        await page.getByText('Stored. Answered next.').waitFor();
      }
      fillDisk(served.child.pid!);
      full.resolve();
      await end().waitFor();
      await expect.poll(() => end().innerText()).toMatch(/not being saved|disk is full/);
      // A page that heard none of it is told the same by the server, which is still there.
      await page.reload();
      await end().waitFor();
      expect(await end().innerText()).toMatch(/not being saved|disk is full/);
      // The disk has room again for the next process.
      await served.end('SIGKILL');
      await start();
      await show(id);
      await end().waitFor();
      steps = [reply('The whole story.'), reply('The other story.')];
      await end().getByRole('button', { name: 'Ask again' }).click();
      await rows('The whole story.').waitFor();
      if (waiting) await rows('The other story.').waitFor();
      expect(await rows('Tell me a story.').count()).toBe(1);
    },
    90_000,
  );

  it.each(ROWS)(
    'says what happened, also after a reload, and asks again once: $what',
    async (row) => {
      const id = await begin();
      await happen(id, row);
      await end().waitFor();
      const said = await end().innerText();
      expect(said).toMatch(row.says);
      const waits = page.getByText('Stored. Answered after the question above.');
      await expect.poll(() => waits.count()).toBe(row.waiting ? 1 : 0);

      await page.reload();
      await end().waitFor();
      expect(await end().innerText()).toBe(said);
      await expect.poll(() => waits.count()).toBe(row.waiting ? 1 : 0);

      const before = model.requests.length;
      steps = [reply('The whole story.'), reply('The other story.')];
      await end().getByRole('button', { name: 'Ask again' }).click();
      await rows('The whole story.').waitFor();
      if (row.waiting) await rows('The other story.').waitFor();
      await expect.poll(() => end().count()).toBe(0);
      await expect.poll(() => live().count()).toBe(0);
      expect(model.requests.length - before).toBe(row.waiting ? 2 : 1);
      expect(await rows('Tell me a story.').count()).toBe(1);
      expect(complaints).toEqual([]);
    },
    90_000,
  );

  it('goes on where the agent reached its limit of steps', async () => {
    await begin();
    const before = model.requests.length;
    steps = Array.from({ length: 50 }, (_, n) => callTool('look', {}, { id: `call_${n}` }));
    await say('Look around.');
    await end().waitFor();
    expect(await end().innerText()).toMatch(/^The agent reached its limit of steps\./);
    expect(model.requests.length - before).toBe(50);
    await page.reload();
    await end().getByText('The agent reached its limit of steps.').waitFor();
    steps = [reply('That is all there is.')];
    await end().getByRole('button', { name: 'Go on' }).click();
    await rows('That is all there is.').waitFor();
    expect(model.requests.length - before).toBe(51);
    await expect.poll(() => end().count()).toBe(0);
  }, 90_000);

  it('answers next what waits behind an answer that was stopped, and says of that one that it is incomplete', async () => {
    await begin();
    steps = [HALF, reply('The other story.')];
    await say('Tell me a story.');
    await live().getByText('Once upon a time').waitFor();
    await say('And another one.');
    await page.getByText('Stored. Answered next.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await rows('The other story.').waitFor();
    await rows('This answer is incomplete.').waitFor();
    await expect.poll(() => end().count()).toBe(0);
  });

  it.each(FAULTS)(
    'answers next what waits behind $what, and keeps the reason with the question',
    async (fault) => {
      await begin();
      const gate = Promise.withResolvers<void>();
      rule = ({ body }) =>
        JSON.stringify(body.messages.at(-1)).includes('And another one.')
          ? reply('The other story.')
          : held(fault.step, gate.promise);
      await say('Tell me a story.');
      await live().getByRole('status').waitFor();
      await say('And another one.');
      await page.getByText('Stored. Answered next.').waitFor();
      gate.resolve();
      await rows('The other story.').waitFor();
      for (const load of [() => {}, () => page.reload()]) {
        await load();
        await rows('Tell me a story.').locator('.row-interrupted').getByText(fault.says).waitFor();
        await expect.poll(() => end().count()).toBe(0);
      }
    },
  );

  it('that another program writes is shown as that, and as unfinished once that program is gone', async () => {
    const id = await begin();
    await using store = await openStore(location);
    const other = await openSession(store, id, { owner: 'another program' });
    await other.append([user('Are you there?')]);
    await live().getByText('Being answered…').waitFor();
    await expect.poll(() => end().count()).toBe(0);
    await other.close();
    await end().getByText('This question has no answer yet.').waitFor();
    steps = [reply('Here I am.')];
    await end().getByRole('button', { name: 'Ask again' }).click();
    await rows('Here I am.').waitFor();
  });

  it('shows why it could not be asked again, and keeps the page', async () => {
    const id = await begin();
    steps = [unauthorized()];
    await say('Are you there?');
    await end().waitFor();
    // Another program begins to write in the session.
    await using store = await openStore(location);
    await served.end('SIGTERM');
    const other = await openSession(store, id, { owner: 'another program' });
    await start();
    await show(id);
    await end().getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('Another window or program is writing in this session').waitFor();
    expect(await end().first().innerText()).toMatch(/key/i);
    await other.close();
    steps = [reply('Here I am.')];
    await end().getByRole('button', { name: 'Ask again' }).click();
    await rows('Here I am.').waitFor();
    await expect.poll(() => end().count()).toBe(0);
  });
});
