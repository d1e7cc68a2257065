import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeSession, trashSession } from '../../src/session/index.ts';
import { user } from '../../src/testing/index.ts';
import { fillDemoSessions, UPLOADS } from './demo-sessions.ts';
import { hasBrowser, openStage, type Stage, type Window } from './stage.ts';

/** A time zone where it is about one o'clock in the afternoon: what was said three hours ago was said today. */
function noonSomewhere(): string {
  const east = 13 - new Date().getUTCHours();
  return east === 0 ? 'Etc/GMT' : `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

describe.skipIf(!hasBrowser)('the list of sessions', () => {
  let stage: Stage;
  let window: Window;
  beforeAll(async () => {
    stage = await openStage();
    await fillDemoSessions(stage.store, Date.now());
    window = await stage.open(undefined, { timezoneId: noonSomewhere() });
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const titles = () => window.page.locator('.session-link .session-title').allTextContents();

  it('shows every session, the newest first, in periods', async () => {
    const { page } = window;
    await page.getByRole('link', { name: /Uploads fail/ }).waitFor();
    const shown = await titles();
    expect(shown).toHaveLength(6);
    expect(shown.at(-1)).toBe('Flaky test in the checkout flow');
    expect(await page.getByRole('heading', { level: 2, name: 'Today' }).count()).toBe(1);
    expect(await page.getByRole('heading', { level: 2, name: 'The last seven days' }).count()).toBe(1);
  });

  it('narrows by tag and by project, and shows the choice', async () => {
    const { page } = window;
    const tag = page.getByRole('button', { name: /^ops/ });
    await tag.click();
    await expect.poll(titles).toEqual(['Nightly backup']);
    expect(await tag.getAttribute('aria-pressed')).toBe('true');
    await tag.click();
    await page.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'billing (1)' });
    await expect.poll(titles).toEqual(['Billing schema for the new tenants']);
    await page.getByRole('combobox', { name: 'Project' }).selectOption('');
    await expect.poll(async () => (await titles()).length).toBe(6);
  });

  it('finds messages, also under a summary, and goes there', async () => {
    const { page } = window;
    await page.getByLabel('Search everything that was said').fill('a telephone in a tunnel');
    const hit = page.getByRole('link', { name: /tunnel/ }).first();
    await hit.waitFor();
    expect(await hit.locator('mark').count()).toBeGreaterThan(0);
    await hit.click();
    const found = page.locator('.row-marked');
    await found.waitFor();
    expect(await found.textContent()).toMatch(/a telephone in a tunnel/);
    expect(await found.getAttribute('data-depth')).toBe('1');
    await expect.poll(() => found.evaluate(inView)).toBe(true);
  });

  it.each([UPLOADS, 'uploads FAIL at 100 mb'])(
    'finds the session %s first in the search field',
    async (words) => {
      const { page } = window;
      const field = page.getByLabel('Search everything that was said');
      await field.fill(words);
      const link = page.getByRole('link', { name: /The whole session/ }).first();
      await link.waitFor();
      await expect.poll(() => link.getAttribute('href')).toBe(`#/session/${UPLOADS}`);
      await field.press('Escape');
    },
  );

  it('names a session once above its hits, and the sessions that worked on a file', async () => {
    const { page } = window;
    const field = page.getByLabel('Search everything that was said');
    await field.fill('assemble.ts');
    const link = page.getByRole('link', { name: /Worked on this file/ });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`#/session/${UPLOADS}`);
    await field.fill('the upload');
    const hits = page.locator('.found-in .hit');
    const headings = page.locator('.found-in h2');
    await expect.poll(async () => (await hits.count()) - (await headings.count())).toBeGreaterThan(0);
    const names = await headings.allTextContents();
    expect(new Set(names).size).toBe(names.length);
    await field.press('Escape');
  });

  it('says so when nothing was found', async () => {
    const { page } = window;
    const field = page.getByLabel('Search everything that was said');
    await field.fill('zzqxvorbl');
    await page
      .getByText(/Nothing was found/)
      .first()
      .waitFor();
    await field.press('Escape');
    await expect.poll(async () => (await titles()).length).toBe(6);
  });

  it('renames and tags a session, and puts it aside', async () => {
    const { page } = window;
    await page.getByRole('link', { name: /Nightly backup/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Nightly backup' }).waitFor();
    await page.getByRole('button', { name: 'Title and tags' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Backup at three');
    await page.getByLabel(/^Tags, with commas/).fill('ops, night');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Backup at three' }).waitFor();
    const link = page.getByRole('link', { name: /Backup at three/ });
    await expect.poll(() => link.locator('.chip').allTextContents()).toEqual(['ops', 'night']);

    await page.getByRole('button', { name: 'Title and tags' }).click();
    await page.getByRole('button', { name: 'Archive' }).click();
    await expect.poll(() => link.count()).toBe(0);
    await page.getByRole('combobox', { name: 'Place' }).selectOption('archived');
    await link.waitFor();
    await page.getByRole('combobox', { name: 'Place' }).selectOption('active');
  });

  it('starts a new session, which the list shows', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByRole('heading', { level: 1, name: '(untitled)' }).waitFor();
    await expect.poll(async () => (await titles()).includes('(untitled)')).toBe(true);
    const writing = page.getByLabel('Message', { exact: true });
    await expect.poll(() => writing.evaluate(isFocused)).toBe(true);
  });

  it('starts one among those that the list is narrowed to', async () => {
    const { page } = window;
    await page.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'billing (1)' });
    await page.getByRole('button', { name: /^review/ }).click();
    await page.getByRole('button', { name: 'New session' }).click();
    await expect.poll(titles).toEqual(['(untitled)', 'Billing schema for the new tenants']);
    await page.getByRole('button', { name: /^review/ }).click();
    await page.getByRole('combobox', { name: 'Project' }).selectOption('');
  });

  it('comes back from an empty trash to started sessions', async () => {
    const { page } = window;
    await page.getByRole('combobox', { name: 'Place' }).selectOption('Trash');
    await page.getByText('The trash is empty.').waitFor();
    await page.getByRole('button', { name: 'New session' }).click();
    await expect.poll(async () => (await titles())[0]).toBe('(untitled)');
  });

  it('lets a session in the trash be read and restored, and written in only then', async () => {
    const { page } = window;
    const { id } = await stage.store.create({ id: 'thrown-away' }, [{ body: user('Out with it.') }]);
    await trashSession(stage.store, id);
    await page.evaluate(`location.hash = '#/session/${id}'`);
    await page.getByText('This session is in the trash.').waitFor();
    const field = page.getByLabel('Message', { exact: true });
    expect(await field.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect.poll(() => field.isDisabled()).toBe(false);
    expect((await stage.store.session(id))!.state.trashedAt).toBeUndefined();
  });

  it('offers to ask again in a session in the trash only when it is restored', async () => {
    const { page, close } = await stage.open();
    const { id } = await stage.store.create({ id: 'unanswered' }, [{ body: user('Is anybody there?') }]);
    await page.evaluate(`location.hash = '#/session/${id}'`);
    const again = page.getByRole('button', { name: 'Ask again' });
    await again.waitFor();
    await trashSession(stage.store, id);
    const restore = page.getByRole('button', { name: 'Restore' });
    await restore.waitFor();
    expect(await page.getByText('This question has no answer yet.').count()).toBe(1);
    expect(await again.count()).toBe(0);
    await restore.click();
    await again.waitFor();
    await close();
  });

  it('says of a session that is purged while it is looked at that it is gone, and shows nothing of it', async () => {
    const { page, complaints, close } = await stage.open();
    const { id } = await stage.store.create({ id: 'looked-at' }, [{ body: user('The secret plan.') }]);
    await page.evaluate(`location.hash = '#/session/${id}'`);
    const said = page.locator('.row[data-kind="message"]').filter({ hasText: 'The secret plan.' });
    await said.waitFor();
    await trashSession(stage.store, id);
    await page.getByText('This session is in the trash.').waitFor();
    await purgeSession(stage.store, (await stage.store.session(id))!);
    await page.getByText('This session was purged. Nothing of it is left.').waitFor();
    expect(await said.count()).toBe(0);
    await expect.poll(() => page.getByText('The secret plan.').count()).toBe(0);
    expect(await page.getByLabel('Message', { exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('has a place for the work of a project', async () => {
    const { page } = window;
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Work' }).click();
    await page.getByRole('heading', { level: 1, name: 'Work' }).waitFor();
    expect(await page.getByRole('main').count()).toBe(1);
  });

  it.each(['upload', 'Uploads fail at 100 MB'])(
    'offers the session that the address %s may mean, and goes there on request only',
    async (words) => {
      const { page } = window;
      await page.evaluate(`location.hash = '#/session/' + encodeURIComponent(${JSON.stringify(words)})`);
      const offered = page.getByRole('navigation', { name: 'Sessions that may be meant' });
      await offered.waitFor();
      expect(await page.getByLabel('Message', { exact: true }).count()).toBe(0);
      await offered.getByRole('link', { name: 'Uploads fail at 100 MB' }).click();
      await page.getByRole('heading', { level: 1, name: 'Uploads fail at 100 MB' }).waitFor();
      expect(await page.evaluate('location.hash')).toBe(`#/session/${UPLOADS}`);
    },
  );

  it('says in words that an address leads nowhere', async () => {
    const { page } = window;
    await page.evaluate(`location.hash = '#/session/no-such-session'`);
    await page.getByText('There is no such session any more.').waitFor();
    await page.evaluate(`location.hash = '#/session/${UPLOADS}'`);
    await page.getByRole('heading', { level: 1, name: 'Uploads fail at 100 MB' }).waitFor();
    expect(window.complaints).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('a store without sessions', () => {
  it('does not ask to pick up where one left off', async () => {
    await using stage = await openStage();
    const { page } = await stage.open();
    await page.getByRole('heading', { level: 1, name: 'Nothing was said here yet' }).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'New session' }).click();
    await page.getByRole('heading', { level: 1, name: '(untitled)' }).waitFor();
    await page.evaluate(`location.hash = '#/'`);
    await page.getByRole('heading', { level: 1, name: 'Pick up where you left off' }).waitFor();
  });
});

/** Runs in the page. */
function isFocused(element: unknown): boolean {
  return (
    (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement === element
  );
}

/** Runs in the page. */
function inView(row: unknown): boolean {
  const { top, bottom } = (
    row as { getBoundingClientRect(): { top: number; bottom: number } }
  ).getBoundingClientRect();
  return top >= 0 && bottom <= 860;
}
