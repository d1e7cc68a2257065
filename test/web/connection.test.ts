import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '../../src/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { reply, trickle } from '../support/wire-script.ts';
import { fillDemoSessions, UPLOADS } from './demo-sessions.ts';
import { hasBrowser, openStage, type Stage, TOKEN, type Window } from './stage.ts';

describe.skipIf(!hasBrowser)('the connection', () => {
  let stage: Stage;
  let window: Window;
  beforeAll(async () => {
    stage = await openStage(() => trickle(reply(`Going on ${'and on '.repeat(400)}`), 10));
    await fillDemoSessions(stage.store, Date.now());
    window = await stage.open(UPLOADS);
    await window.page.locator('.row[data-kind="message"]').first().waitFor();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const rows = (text: string) => window.page.locator('.row[data-kind="message"]').filter({ hasText: text });

  it('takes the token out of the address and keeps it for this tab alone', async () => {
    const { page } = window;
    expect(page.url()).not.toContain(TOKEN);
    expect(await page.evaluate(`Object.values(localStorage).join()`)).not.toContain(TOKEN);
    expect(await page.evaluate(`document.documentElement.outerHTML`)).not.toContain(TOKEN);
    await page.reload();
    await rows('the bar still jumps').waitFor();
  });

  it('says that the server is gone, reconnects, and shows messages of the time between', async () => {
    const { page } = window;
    await stage.stop();
    await page.getByText('The server is gone. Reconnecting').waitFor();
    expect(await rows('the bar still jumps').count()).toBe(1);
    await using session = await openSession(stage.store, UPLOADS, { mode: 'join' });
    await session.append([user('Said while you were away'), assistant('And answered')]);
    await stage.start();
    await rows('And answered').waitFor();
    expect(await rows('Said while you were away').count()).toBe(1);
    await expect.poll(() => page.getByText('The server is gone.').count()).toBe(0);
  });

  it('sends messages written while the server was away, once it is back', async () => {
    const { page } = window;
    await stage.stop();
    await page.getByText('The server is gone. Reconnecting').waitFor();
    await page.getByLabel('Message', { exact: true }).fill('Are you back?');
    await page.getByLabel('Message', { exact: true }).press('Enter');
    await page.getByText('Sending…').waitFor();
    await stage.start();
    await rows('Are you back?').waitFor();
    await page.locator('.row[data-kind="live"]').getByText('Going on').waitFor();
  });

  it('shows the rest of an answer that the server was stopped in', async () => {
    await stage.stop();
    await stage.start();
    await window.page.getByText('The server stopped before the answer was complete.').waitFor();
    expect(await rows('Are you back?').count()).toBe(1);
    expect(await rows('Going on and on').count()).toBe(1);
    expect(await window.page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    await window.page.getByRole('button', { name: 'Ask again' }).click();
    await window.page.locator('.row[data-kind="live"]').getByText('Going on').waitFor();
    expect(await rows('Are you back?').count()).toBe(1);
  });

  it('shows that also if the first look after the restart is answered late', async () => {
    const gate = Promise.withResolvers<void>();
    let isBack = false;
    const other = await stage.open(UPLOADS, {
      hold({ method }) {
        if (!isBack || method !== 'chat/session/get') return undefined;
        isBack = false;
        return gate.promise;
      },
    });
    await other.page.locator('.row[data-kind="live"]').getByText('Going on').waitFor();
    await stage.stop();
    isBack = true;
    await stage.start();
    await other.page.getByText('The server stopped before the answer was complete.').waitFor();
    gate.resolve();
    await other.close();
    await window.page.getByRole('button', { name: 'Ask again' }).click();
    await window.page.locator('.row[data-kind="live"]').getByText('Going on').waitFor();
  });

  it('goes on showing an answer that is being written when the page is loaded again', async () => {
    await window.page.reload();
    await window.page.locator('.row[data-kind="live"]').getByText('Going on').waitFor();
    await window.page.getByRole('button', { name: 'Stop' }).click();
    await window.page.getByText('You stopped this answer.').waitFor();
  });

  it('says so when the server does not accept the page any more, and opens with the new address', async () => {
    const { page } = window;
    await stage.stop();
    await stage.start({ token: 'another-token-of-another-launch-0123' });
    await page.getByRole('heading', { name: 'Not connected' }).waitFor();
    await page.getByText('did not accept this page’s token').waitFor();
    await page.evaluate(`location.hash = '#token=another-token-of-another-launch-0123'`);
    await page.getByRole('link', { name: /Uploads fail/ }).waitFor();
  });

  it('asks for the address with the token when there is none', async () => {
    const { page, close } = await stage.open('', { token: '' });
    await page.getByText('This page needs the address with its token.').waitFor();
    await close();
  });
});
