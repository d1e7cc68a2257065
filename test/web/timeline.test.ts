import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compactSession, createSession, openSession, PRESETS } from '../../src/index.ts';
import { assistant, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { fillDemoSessions, UPLOADS } from './demo-sessions.ts';
import { hasBrowser, openStage, type Stage, type Window } from './stage.ts';

describe.skipIf(!hasBrowser)('the timeline', () => {
  let stage: Stage;
  let window: Window;
  beforeAll(async () => {
    stage = await openStage();
    await fillDemoSessions(stage.store, Date.now());
    window = await stage.open(UPLOADS);
    await window.page.locator('.row[data-kind="message"]').first().waitFor();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const toTop = () => window.page.evaluate(`document.querySelector('.timeline').scrollTo(0, 0)`);
  const messages = () => window.page.locator('.row[data-kind="message"]');
  const card = () => window.page.locator('.card').first();

  it('opens at the newest message', async () => {
    await window.page.getByText('the bar still jumps when the first part is repeated').waitFor();
  });

  it('folds many tools into one line, each of which opens to what went in and came out', async () => {
    const { page } = window;
    const group = page.getByRole('button', { name: /5 tool calls/ });
    await group.scrollIntoViewIfNeeded();
    expect(await group.textContent()).toContain('1 failed');
    expect(await group.getAttribute('aria-expanded')).toBe('false');
    await group.click();
    const failing = page.getByRole('button', { name: /^bash.*failed/ });
    await failing.click();
    await page.getByText('1 failed: part 3 came twice').waitFor();
    await group.click();
    await expect.poll(() => failing.count()).toBe(0);
  });

  it('shows a compaction as a card in its place, with what it meant', async () => {
    await toTop();
    await card().waitFor();
    const text = await card().textContent();
    expect(text).toContain('Uploads over 100 MB failed in production');
    expect(text).toContain('Upload in parts of 8 MB, each with its checksum');
    expect(text).toContain('28 messages');
    await card().getByRole('button', { name: 'Show the whole summary' }).click();
    await card().getByText('Ledger', { exact: true }).waitFor();
    await card().getByRole('button', { name: 'Show less' }).click();
  });

  it('opens the card to the originals and closes it again; the context stays as it is', async () => {
    const before = await stage.store.session(UPLOADS);
    await card().getByRole('button', { name: 'Read the 28 messages' }).click();
    const first = window.page.locator('.row[data-depth="1"]').first();
    await first.waitFor();
    expect(await first.textContent()).toContain('Why did the upload fail?');
    await card().getByRole('button', { name: 'Hide originals' }).click();
    await expect.poll(() => window.page.locator('.row[data-depth="1"]').count()).toBe(0);
    expect(await stage.store.session(UPLOADS)).toEqual(before);
  });

  it('puts the originals back into the context, and takes them out again', async () => {
    const { page } = window;
    await toTop();
    await card().getByRole('button', { name: 'Put back into the context' }).click();
    await page.getByText('Summary set aside').waitFor();
    await messages().filter({ hasText: 'Why did the upload fail?' }).waitFor();
    await toTop();
    await card().getByRole('button', { name: 'Collapse' }).click();
    await card().getByRole('button', { name: 'Read the 28 messages' }).waitFor();
    expect(await messages().filter({ hasText: 'Why did the upload fail?' }).count()).toBe(0);
  });

  it('pins a message, which then says so', async () => {
    const row = messages().filter({ hasText: 'Write the receiving side first.' });
    await row.getByRole('button', { name: 'Pin message' }).click();
    await row.getByText('Pinned', { exact: true }).waitFor();
    const info = await stage.store.session(UPLOADS);
    expect(info!.state.pinned).toHaveLength(1);
    await row.getByRole('button', { name: 'Unpin message' }).click();
    await expect.poll(() => row.getByText('Pinned', { exact: true }).count()).toBe(0);
  });

  it('shows at once what another process says and compacts', async () => {
    await using session = await openSession(stage.store, UPLOADS, { mode: 'join' });
    await window.page.getByRole('button', { name: 'Newest' }).click();
    await session.append([user('Said elsewhere'), assistant('Heard elsewhere')]);
    await messages().filter({ hasText: 'Heard elsewhere' }).waitFor();
    await compactSession(session, { settings: { ...PRESETS.balanced, keep: { messages: 2 } } });
    await expect.poll(() => messages().filter({ hasText: 'Next: show progress' }).count()).toBe(0);
    await expect.poll(() => window.page.locator('.card').count()).toBeGreaterThan(0);
  });

  it('opens a summary of summaries step by step, down to the messages', async () => {
    await using session = await createSession(stage.store, { id: 'tiers', title: 'Tiers' });
    for (let round = 1; round <= 4; round++) {
      for (let turn = 1; turn <= 3; turn++)
        await session.append([
          user(`Question ${round}.${turn}`),
          assistant(`Answer ${round}.${turn}. ${'word '.repeat(150)}`),
        ]);
      await compactSession(session, { settings: { ...PRESETS.balanced, keep: { messages: 0 } } });
    }
    const { page } = window;
    await page.evaluate(`location.hash = '#/session/tiers'`);
    await page.getByRole('button', { name: /Read the \d older summaries/ }).click();
    const inner = page.locator('.row[data-depth="1"] .card').first();
    await inner.getByRole('button', { name: /Read the \d+ messages/ }).click();
    await page.locator('.row[data-depth="2"]').filter({ hasText: 'Question 1.1' }).waitFor();
  });

  it('shows the beginning of a value too large for a page, and all of it on request', async () => {
    await using session = await createSession(stage.store, { id: 'large', title: 'Large values' });
    await session.append([
      user(`A long text: ${'word '.repeat(20_000)}and its end.`),
      toolCall('read_file', { path: 'large.txt' }, { id: 'big' }),
      toolResult('read_file', `${'line of a file\n'.repeat(8_000)}the last line`, { id: 'big' }),
    ]);
    const { page } = window;
    await page.evaluate(`location.hash = '#/session/large'`);
    await page.getByRole('button', { name: /^read_file/ }).click();
    await page.locator('.tool-detail').getByRole('button', { name: 'Show all 118 KB' }).click();
    await page.locator('.tool-detail').getByText('the last line').waitFor();
    await messages()
      .getByRole('button', { name: /Show all \d+ KB/ })
      .click();
    await messages()
      .getByRole('button', { name: /Show the other/ })
      .click();
    await messages().getByText('and its end.').waitFor();
  });

  it('shows what it does not know as it is kept, and results whose call is gone', async () => {
    await using session = await createSession(stage.store, { id: 'odd', title: 'Odd parts' });
    await session.append([
      user([{ type: 'hologram', beam: 7 }]),
      toolResult('lost_tool', 'came back anyway', { id: 'nobody' }),
      assistant('Half an ans', { status: 'interrupted' }),
    ]);
    const { page } = window;
    await page.evaluate(`location.hash = '#/session/odd'`);
    await page.getByText('Part of kind “hologram”').click();
    await page.getByText('"beam": 7').waitFor();
    await page.getByRole('button', { name: /lost_tool/ }).click();
    await page.getByText('came back anyway').waitFor();
    await page.getByText('This answer is not complete.').waitFor();
    expect(window.complaints).toEqual([]);
  });
});
