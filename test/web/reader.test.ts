import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillDemoSessions, UPLOADS } from './demo-sessions.ts';
import { hasBrowser, openStage, READER, type Stage, type Window } from './stage.ts';

describe.skipIf(!hasBrowser)('a reader', () => {
  let stage: Stage;
  let owner: Window;
  let reader: Window;
  beforeAll(async () => {
    stage = await openStage();
    await fillDemoSessions(stage.store, Date.now());
    [owner, reader] = await Promise.all([stage.open(UPLOADS), stage.open(UPLOADS, { token: READER })]);
    for (const { page } of [owner, reader]) {
      await page.locator('.row[data-kind="message"]').first().waitFor();
      await page.locator('.card').first().waitFor();
    }
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const CHANGES =
    /^(?:New session|Title and tags|Compact|Compact…|Pin message|Fork|Put back into the context|Make it the current one)/;
  const offered = ({ page }: Window) => page.getByRole('button', { name: CHANGES }).count();

  it('is offered nothing that changes something, in any of the columns', async () => {
    await expect.poll(() => offered(reader)).toBe(0);
    expect(await offered(owner)).toBeGreaterThan(4);
    for (const [panel, text] of [
      ['Checkpoint', 'What changed'],
      ['Lineage', 'A fork shares everything'],
      ['Context', 'Estimated for'],
    ] as const) {
      await reader.page.getByRole('tab', { name: panel }).click();
      await reader.page.getByText(text).waitFor();
      expect(await offered(reader)).toBe(0);
    }
    expect(await reader.page.getByRole('combobox', { name: 'Model' }).count()).toBe(0);
    await reader.page.keyboard.press('Escape');
    await reader.page.locator('.row[data-kind="message"]').last().focus();
    for (const key of ['n', 'c']) await reader.page.keyboard.press(key);
    expect(await reader.page.getByRole('dialog').count()).toBe(0);
    expect(reader.page.url()).toContain(UPLOADS);
  });

  it('reads everything all the same', async () => {
    const card = reader.page.locator('.card').first();
    await card.getByRole('button', { name: /^Read the/ }).click();
    await card.getByRole('button', { name: 'Hide originals' }).waitFor();
    await reader.page
      .getByText('You may read here, and not write')
      .or(reader.page.getByPlaceholder('You may read here, and not write'))
      .first()
      .waitFor();
    expect([...owner.complaints, ...reader.complaints]).toEqual([]);
  });
});
