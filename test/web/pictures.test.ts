import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillDemoSessions, UPLOADS } from './demo-sessions.ts';
import { hasBrowser, openStage, type Stage } from './stage.ts';

/** A working day, so that nothing in the pictures depends on when they are taken. */
const NOON = new Date(2026, 2, 11, 15, 20).getTime();
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 780 };

const PICTURES: readonly {
  name: string;
  dark?: true;
  narrow?: true;
  prepare?: (page: Page) => Promise<void>;
}[] = [
  { name: 'web-session' },
  { name: 'web-summary', dark: true, prepare: openSummary },
  { name: 'web-compact', prepare: (page) => openDialog(page) },
  { name: 'web-narrow', narrow: true, dark: true, prepare: toTop },
];

// UPDATE_PICTURES=1 npx vitest run test/web/pictures.test.ts makes them anew.
describe.skipIf(!hasBrowser)('the pictures in the docs', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    await fillDemoSessions(stage.store, NOON);
    mkdirSync('docs/pictures', { recursive: true });
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  it.each(PICTURES)('$name', async ({ name, dark, narrow, prepare }) => {
    const options = {
      viewport: narrow ? NARROW : WIDE,
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    } as const;
    const { page, close } = await stage.open('', options);
    await page.clock.setFixedTime(NOON);
    await page.evaluate(`location.hash = '#/session/${UPLOADS}'`);
    await page.locator('.row[data-kind="message"]').last().waitFor();
    await page.locator('.meter-share').filter({ hasText: '%' }).waitFor();
    await prepare?.(page);
    await page.evaluate('document.activeElement?.blur()');
    await page.waitForTimeout(400);
    await page.screenshot({ path: `docs/pictures/${name}.png` });
    await close();
  });
});

async function toTop(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.evaluate(`document.querySelector('.timeline').scrollTo(0, 0)`);
      await page.waitForTimeout(200);
      return page.evaluate(`document.querySelector('.timeline').scrollTop`);
    })
    .toBe(0);
  await page.locator('.card').waitFor();
}

async function openSummary(page: Page): Promise<void> {
  await toTop(page);
  await page.getByRole('tab', { name: 'Checkpoint' }).click();
  await page.getByRole('tabpanel').getByText('Decided').waitFor();
  await page.getByRole('button', { name: /Read the 28 messages/ }).click();
  await page.locator('.row[data-depth="1"]').first().waitFor();
}

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compact', exact: true }).click();
  await page.getByLabel('Messages to keep as they are').fill('4');
  await page.getByRole('dialog').getByText('Saves').waitFor();
}
