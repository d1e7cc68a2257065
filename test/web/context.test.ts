import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSession } from '../../src/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { obligingModel } from '../flows/chat-model.ts';
import { fillDemoSessions, UPLOADS } from './demo-sessions.ts';
import { hasBrowser, openStage, type Stage, type Window } from './stage.ts';

describe.skipIf(!hasBrowser)('what the model sees', () => {
  let stage: Stage;
  let window: Window;
  beforeAll(async () => {
    stage = await openStage(obligingModel());
    await fillDemoSessions(stage.store, Date.now());
    window = await stage.open(UPLOADS);
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const tab = (name: string) => window.page.getByRole('tab', { name });
  const panel = () => window.page.getByRole('tabpanel');
  const go = (id: string) => window.page.evaluate(`location.hash = '#/session/${id}'`);

  it('is measured by part, and the parts add up to the window', async () => {
    const { page } = window;
    await panel().getByText('Messages').waitFor();
    const meter = page.getByRole('meter', { name: 'Context used' }).last();
    const whole = Number(await meter.getAttribute('aria-valuemax'));
    const cells = await panel().locator('tbody tr td:nth-child(2)').allTextContents();
    expect(cells.map((cell) => Number(cell.replaceAll(',', ''))).reduce((sum, each) => sum + each, 0)).toBe(
      whole,
    );
    const parts = await panel().locator('tbody th').allTextContents();
    expect(parts).toEqual(expect.arrayContaining(['Summaries', 'Messages', 'Kept for the answer', 'Free']));
  });

  it('is compacted with a preview, and the sentence says what it saved', async () => {
    const { page } = window;
    await createSession(stage.store, { id: 'long', title: 'A long talk' }).then(async (session) => {
      for (let turn = 1; turn <= 26; turn++)
        await session.append([
          user(`Question ${turn}?`),
          assistant(`Answer ${turn}. ${'All the details of it. '.repeat(60)}`),
        ]);
      await session.close();
    });
    await go('long');
    await page.getByRole('heading', { level: 1, name: 'A long talk' }).waitFor();
    await page.getByRole('button', { name: 'Compact', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Compact this session' });
    await dialog.getByText('42 messages').waitFor();
    await dialog.getByLabel('Messages to keep as they are').fill('20');
    await dialog.getByText('32 messages').waitFor();
    expect((await stage.store.session('long'))!.state.roots).toEqual([]);
    await dialog.getByLabel('Messages to keep as they are').fill('10');
    await dialog.getByText('42 messages').waitFor();
    await dialog.getByRole('button', { name: 'Compact' }).click();
    await page.getByText(/Summarised 42 messages, saved about \d[\d.]*K tokens/).waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
    await page.locator('.card').waitFor();
  });

  it('gets the originals back by undoing, and the summary by collapsing', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The original messages are in the context again.').waitFor();
    // The timeline keeps its place while the originals come in, so one jump to the top may come too early.
    await expect
      .poll(
        async () => {
          await page.evaluate(`document.querySelector('.timeline').scrollTo(0, 0)`);
          return page.getByText('Summary set aside').isVisible();
        },
        { timeout: 15_000 },
      )
      .toBe(true);
    await page.getByRole('button', { name: 'Collapse' }).click();
    await page.getByRole('button', { name: 'Read the 42 messages' }).waitFor();
  });

  it('says in words that there is nothing to compact', async () => {
    const { page } = window;
    await createSession(stage.store, { id: 'short', title: 'Short' }).then((session) => session.close());
    await go('short');
    await page.getByRole('heading', { level: 1, name: 'Short' }).waitFor();
    await page.keyboard.press('c');
    await page.getByText('There is nothing to compact yet').waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Compact' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('is shortened automatically when it is full, with a notice and the way back', async () => {
    const { page } = window;
    await createSession(stage.store, {
      id: 'full',
      title: 'Full',
      settings: { model: 'anthropic:claude-haiku-4-5' },
    }).then(async (session) => {
      for (let turn = 1; turn <= 24; turn++)
        await session.append([
          user(`Read file ${turn}.`),
          assistant(`File ${turn}: ${`line ${turn} of a long file; `.repeat(1300)}`),
        ]);
      await session.close();
    });
    await go('full');
    await page.getByRole('heading', { level: 1, name: 'Full' }).waitFor();
    await page.getByLabel('Message', { exact: true }).fill('And now?');
    await page.getByLabel('Message', { exact: true }).press('Enter');
    const notice = page.locator('.auto-compacted');
    await notice.waitFor();
    expect(await notice.textContent()).toContain('Older messages were summarised');
    await page
      .locator('.row[data-kind="message"]')
      .filter({ hasText: /Answer \d+\./ })
      .waitFor();
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The original messages are in the context again.').waitFor();
    await expect.poll(() => notice.count()).toBe(0);
    expect((await stage.store.session('full'))!.state.expanded.length).toBeGreaterThan(0);
  });

  it('has a checkpoint, whose lines lead to where they were said', async () => {
    const { page } = window;
    await go(UPLOADS);
    await page.getByRole('heading', { level: 1, name: 'Uploads fail at 100 MB' }).waitFor();
    await tab('Checkpoint').click();
    await panel().getByText('Upload in parts of 8 MB, each with its checksum').waitFor();
    await panel().getByText('Show progress to the user').waitFor();
    const why = panel().getByRole('button', { name: /^why/ });
    if ((await why.count()) > 0) await why.first().click();
  });

  it('keeps every version of it, shows what changed, and restores one', async () => {
    const { page } = window;
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Messages to keep as they are').fill('2');
    await expect.poll(() => dialog.getByRole('button', { name: 'Compact' }).isEnabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Compact' }).click();
    await expect.poll(() => panel().getByLabel('Version').inputValue()).toBe('2');
    await panel().getByRole('button', { name: 'What changed' }).click();
    await panel().getByText('Use token bucket with Redis backing').waitFor();
    await panel().getByRole('button', { name: 'What changed' }).click();
    await panel().getByLabel('Version').selectOption('1');
    await panel().getByText('This is how it was then.').waitFor();
    await panel().getByRole('button', { name: 'Make it the current one' }).click();
    await page.getByText('Version 1 is the current one again, as version 3.').waitFor();
    await expect.poll(() => panel().getByLabel('Version').inputValue()).toBe('3');
  });

  it('has a lineage to walk through and to fork from', async () => {
    const { page } = window;
    await tab('Lineage').click();
    const tree = panel().getByRole('list', { name: 'Lineage' });
    await tree.getByRole('link', { name: /Uploads, one long stream/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Uploads, one long stream' }).waitFor();
    await expect.poll(() => tree.locator('[aria-current="page"]').textContent()).toContain('one long stream');

    const message = page
      .locator('.row[data-kind="message"]')
      .filter({ hasText: 'Write the receiving side first.' });
    await message.hover();
    await message.getByRole('button', { name: /Fork from here/ }).click();
    await page.getByLabel('Title', { exact: true }).fill('A third way');
    await page.getByRole('button', { name: 'Fork', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'A third way' }).waitFor();
    await tree.getByRole('link', { name: /A third way.*forked after/ }).waitFor();
    expect(await tree.getByRole('link').count()).toBe(3);
    expect(window.complaints).toEqual([]);
  });
});
