import { writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createSession, openSession, openStore } from '../../src/index.ts';
import { giveConsent } from '../../src/run/index.ts';
import { user } from '../../src/testing/index.ts';
import { tempFolder } from '../flows/child.ts';
import { type Served, startServe } from '../rpc/served.ts';
import { launchChromium } from '../support/chromium.ts';
import {
  callTool,
  cut,
  fail,
  hang,
  overflow,
  rateLimited,
  reply,
  type Step,
  serverError,
  stall,
  unauthorized,
} from '../support/wire-script.ts';
import { startWireServer, type WireServer } from '../support/wire-server.ts';
import { hasBrowser } from './stage.ts';

const HALF = stall(reply('Once upon a time there was a house by the sea.'));
/** Refusals ask for a wait that is too long, so that they are not repeated. */
const LONG = { retryAfterSeconds: 120 };

/** What happens to a turn while the page looks on. */
type Cause = 'provider' | 'stop' | 'SIGTERM' | 'SIGKILL';

interface Row {
  readonly what: string;
  /** What the provider does, request by request. */
  readonly steps: readonly Step[];
  readonly by: Cause;
  /** What the page shows. */
  readonly says: RegExp;
  /** What is on the page when it happens. */
  readonly at?: 'tool' | 'half';
  readonly waiting?: true;
}

const SLOW_TOOL = callTool('wait', {});
const STOPPED = /^You stopped this answer\./;
const SHUT_DOWN = /^The server stopped before the answer was complete\./;
const DIED =
  /^The process ended before the answer was complete\.|^This (question has no answer yet|answer is not complete)\./;

const ROWS: readonly Row[] = [
  { what: 'a wrong key', steps: [unauthorized()], by: 'provider', says: /key/i },
  { what: 'too many requests', steps: [rateLimited(LONG)], by: 'provider', says: /limit|busy|many/i },
  { what: 'an error of the provider', steps: [serverError(LONG)], by: 'provider', says: /./ },
  { what: 'a context that is too long', steps: [overflow()], by: 'provider', says: /./ },
  { what: 'a stop before the answer', steps: [hang()], by: 'stop', says: STOPPED },
  { what: 'SIGTERM before the answer', steps: [hang()], by: 'SIGTERM', says: SHUT_DOWN },
  {
    what: 'kill -9 before the answer',
    steps: [hang()],
    by: 'SIGKILL',
    says: /has no answer yet|process ended/,
  },

  { what: 'a connection that breaks', steps: [cut(reply('One two three four'))], by: 'provider', says: /./ },
  { what: 'an error in mid-answer', steps: [fail(reply('One two three four'))], by: 'provider', says: /./ },
  { what: 'a stop in mid-answer', steps: [HALF], by: 'stop', at: 'half', says: STOPPED },
  { what: 'SIGTERM in mid-answer', steps: [HALF], by: 'SIGTERM', at: 'half', says: SHUT_DOWN },
  { what: 'kill -9 in mid-answer', steps: [HALF], by: 'SIGKILL', at: 'half', says: DIED },

  {
    what: 'a wrong key after a tool',
    steps: [callTool('look', {}), unauthorized()],
    by: 'provider',
    says: /key/i,
  },
  { what: 'a stop in a tool', steps: [SLOW_TOOL], by: 'stop', at: 'tool', says: STOPPED },
  { what: 'SIGTERM in a tool', steps: [SLOW_TOOL], by: 'SIGTERM', at: 'tool', says: SHUT_DOWN },
  { what: 'kill -9 in a tool', steps: [SLOW_TOOL], by: 'SIGKILL', at: 'tool', says: DIED },

  { what: 'SIGTERM, one waiting', steps: [HALF], by: 'SIGTERM', at: 'half', waiting: true, says: SHUT_DOWN },
  { what: 'kill -9, one waiting', steps: [HALF], by: 'SIGKILL', at: 'half', waiting: true, says: DIED },
];

describe.skipIf(!hasBrowser)('an answer that is not complete', () => {
  const folder = tempFolder();
  const location = folder.file('sessions.db');
  const agent = folder.file('agent.mjs');
  let steps: Step[] = [];
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
    // The last step is for every further request too: a provider that refuses does so again when it is tried again.
    model = await startWireServer('anthropic', () => (steps.length > 1 ? steps.shift()! : steps[0]!));
    browser = await launchChromium(inject('chromium'));
    page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    page.setDefaultTimeout(30_000);
    page.on('pageerror', ({ message }) => complaints.push(message));
    await start();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
    folder[Symbol.dispose]();
  });

  const begin = async () => {
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
    if (by !== 'SIGTERM' && by !== 'SIGKILL') return;
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

  it.each(ROWS)(
    'says what happened, also after a reload, and asks again once: $what',
    async (row) => {
      const id = await begin();
      await happen(id, row);
      await end().waitFor();
      const said = await end().innerText();
      expect(said).toMatch(row.says);
      const waits = page.getByText('Stored. Answered after the question above.');
      expect(await waits.count()).toBe(row.waiting ? 1 : 0);

      await page.reload();
      await end().waitFor();
      expect(await end().innerText()).toBe(said);
      expect(await waits.count()).toBe(row.waiting ? 1 : 0);

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
    expect(await end().count()).toBe(0);
  });

  it('keeps the reason with a question that has no answer when others came after it', async () => {
    await begin();
    steps = [hang(), reply('The other story.')];
    await say('Tell me a story.');
    await live().getByRole('status').waitFor();
    await say('And another one.');
    await page.getByText('Stored. Answered next.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await rows('The other story.').waitFor();
    steps = [unauthorized()];
    await say('And a third one.');
    await end().getByText(/key/i).waitFor();
    steps = [reply('The fourth story.')];
    await say('And a fourth one.');
    await rows('The fourth story.').waitFor();
    for (const load of [() => {}, () => page.reload()]) {
      await load();
      await rows('And a third one.').getByText(/key/i).waitFor();
      await rows('Stopped before anything was written.').waitFor();
      expect(await end().count()).toBe(0);
    }
  });

  it('that another program writes is shown as that, and as unfinished once that program is gone', async () => {
    const id = await begin();
    await using store = await openStore(location);
    const other = await openSession(store, id, { owner: 'another program' });
    await other.append([user('Are you there?')]);
    await live().getByText('Being answered…').waitFor();
    expect(await end().count()).toBe(0);
    await other.close();
    await end().getByText('This question has no answer yet.').waitFor();
    steps = [reply('Here I am.')];
    await end().getByRole('button', { name: 'Ask again' }).click();
    await rows('Here I am.').waitFor();
  });

  it('shows why it could not be asked again, and keeps what is there', async () => {
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
