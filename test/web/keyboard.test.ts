import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reply } from '../support/wire-script.ts';
import { fillDemoSessions, UPLOADS } from './demo-sessions.ts';
import { hasBrowser, openStage, type Stage, type Window } from './stage.ts';

describe.skipIf(!hasBrowser)('without a mouse', () => {
  let stage: Stage;
  let window: Window;
  beforeAll(async () => {
    stage = await openStage(() => reply('Heard you.'));
    await fillDemoSessions(stage.store, Date.now());
    window = await stage.open();
    await window.page.getByRole('link', { name: /Uploads fail/ }).waitFor();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => window.page.keyboard.press(key)), Promise.resolve());
  const focused = () =>
    window.page.evaluate(
      `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`,
    ) as Promise<string>;

  it('one searches, walks the list and opens a session', async () => {
    const { page } = window;
    await press('/');
    await page.keyboard.type('nightly');
    await page.getByText(/\d+ hits?/).waitFor();
    await press('Escape', 'Tab');
    for (let step = 0; step < 30 && !(await focused()).includes('Uploads, one long stream'); step++)
      await press('Tab');
    await press('ArrowDown');
    expect(await focused()).toContain('Uploads fail at 100 MB');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Uploads fail at 100 MB' }).waitFor();
  });

  it('one walks the timeline, opens a summary and forks from a message', async () => {
    const { page } = window;
    await page.locator('.row[data-kind="message"]').last().waitFor();
    await press('t');
    await expect.poll(focused).toMatch(/^Assistant, /);
    await press('Home');
    await expect.poll(focused).toBe('Beginning');
    await press('j');
    await expect.poll(focused).toMatch(/^Summary of 28 messages/);
    await press('Enter');
    await page.locator('.row[data-depth="1"]').first().waitFor();
    await press('o');
    await expect.poll(() => page.locator('.row[data-depth="1"]').count()).toBe(0);
    await press('ArrowDown');
    await expect.poll(focused).toMatch(/^You, /);
    await press('Tab', 'Tab', 'Tab');
    expect(await focused()).toMatch(/Fork from here/);
    await press('Enter');
    expect(await page.getByRole('dialog', { name: 'Fork' }).count()).toBe(1);
    await press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expect.poll(focused).toMatch(/Fork from here/);
  });

  it('one opens each column, compacts, and asks for help', async () => {
    const { page } = window;
    for (const [key, name] of [
      ['2', 'Checkpoint'],
      ['3', 'Lineage'],
      ['1', 'Context'],
    ] as const) {
      await press(key);
      await expect.poll(() => page.getByRole('tab', { name }).getAttribute('aria-selected')).toBe('true');
    }
    await page.getByRole('tab', { name: 'Context' }).focus();
    await press('ArrowRight');
    expect(await page.getByRole('tab', { name: 'Checkpoint' }).getAttribute('aria-selected')).toBe('true');
    await press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await press('Escape');
  });

  it('one writes, and single keys are letters there', async () => {
    const { page } = window;
    await press('i');
    await page.keyboard.type('n? c/12');
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('n? c/12');
    await press('Shift+Enter');
    await page.keyboard.type('second line');
    await press('Enter');
    await page.locator('.row[data-kind="message"]').filter({ hasText: 'Heard you.' }).waitFor();
  });

  it('single keys can be switched off', async () => {
    const { page } = window;
    await press('Escape', '?');
    await page.getByLabel('Single-key shortcuts').press('Space');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).press('Enter');
    await press('3');
    expect(await page.getByRole('tab', { name: 'Lineage' }).getAttribute('aria-selected')).toBe('false');
  });

  it('one always sees where one is', async () => {
    const { page } = window;
    await page.getByLabel('Search everything that was said').focus();
    const unseen: string[] = [];
    for (let step = 0; step < 40; step++) {
      await press('Tab');
      const seen = await page.evaluate(`(() => {
        const at = document.activeElement;
        if (at === document.body) return 'body';
        const shows = (each, pseudo) => { const style = getComputedStyle(each, pseudo); return style.outlineStyle !== 'none' && style.outlineWidth !== '0px' || style.boxShadow !== 'none'; };
        const box = at.closest('.composer-box') ?? at.querySelector('.row-inside') ?? at;
        return shows(at) || shows(box) ? '' : at.outerHTML.slice(0, 80);
      })()`);
      if (seen !== '' && seen !== 'body') unseen.push(seen as string);
    }
    expect(unseen).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('for a screen reader', () => {
  let stage: Stage;
  let window: Window;
  beforeAll(async () => {
    stage = await openStage(() => reply('Heard you.'));
    await fillDemoSessions(stage.store, Date.now());
    window = await stage.open(UPLOADS);
    await window.page.locator('.row[data-kind="message"]').last().waitFor();
    await window.page.getByRole('tabpanel').getByText('Free').waitFor();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  it('the page has its landmarks, one heading of the first level, and a language', async () => {
    const { page } = window;
    expect(await page.getByRole('main').count()).toBe(1);
    expect(await page.getByRole('complementary').count()).toBe(2);
    expect(await page.getByRole('navigation', { name: 'Sessions' }).count()).toBe(1);
    expect(await page.getByRole('search').count()).toBe(1);
    expect(await page.getByRole('feed', { name: 'Timeline' }).count()).toBe(1);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
  });

  it.each(['', 'Checkpoint', 'Lineage'])(
    'everything one can use has a name, and no id is there twice (%s)',
    async (tab) => {
      const { page } = window;
      if (tab !== '') await page.getByRole('tab', { name: tab }).click();
      const nameless =
        await page.evaluate(`[...document.querySelectorAll('button, a[href], input, select, textarea, [role="tab"], [tabindex="0"]')]
      .filter((each) => !(each.getAttribute('aria-label') || each.labels?.length || each.textContent.trim() || each.getAttribute('aria-labelledby') || each.title))
      .map((each) => each.outerHTML.slice(0, 120))`);
      expect(nameless).toEqual([]);
      const twice = await page.evaluate(
        `(() => { const ids = [...document.querySelectorAll('[id]')].map((each) => each.id); return ids.filter((id, index) => ids.indexOf(id) !== index); })()`,
      );
      expect(twice).toEqual([]);
      const pictures = await page.evaluate(
        `[...document.querySelectorAll('img:not([alt]), svg:not([aria-hidden])')].length`,
      );
      expect(pictures).toBe(0);
    },
  );

  it('what happens is said: notices, progress and problems are live', async () => {
    const { page } = window;
    await page.getByLabel('Message', { exact: true }).fill('Hello');
    await page.getByLabel('Message', { exact: true }).press('Enter');
    await page.locator('.row[data-kind="message"]').filter({ hasText: 'Heard you.' }).waitFor();
    expect(await page.locator('.notices[aria-live="polite"]').count()).toBe(1);
    expect(await page.locator('.app > [role="status"]').count()).toBe(1);
  });

  it('fits a telephone: nothing is wider than the screen, and the list comes when called', async () => {
    const narrow = await stage.open(UPLOADS, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = narrow;
    await page.locator('.row[data-kind="message"]').last().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await expect.poll(() => page.getByRole('link', { name: /Nightly/ }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Sessions' }).click();
    await page.getByRole('link', { name: /Nightly/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Nightly backup' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: /Flaky/ }).isVisible()).toBe(false);
    await page.getByRole('button', { name: /of the context used/ }).click();
    await page.getByRole('tabpanel').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(narrow.complaints).toEqual([]);
    await narrow.close();
  });
});
