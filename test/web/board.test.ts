import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoBoard, FAILING, fillDemoBoard, REVIEW } from './demo-board.ts';
import { hasBrowser, openStage, type Stage, type Window } from './stage.ts';

const HOSTILE = '<img src=x onerror="window.robbed=1">';
const NOON = new Date(2026, 2, 11, 15, 20).getTime();

describe.skipIf(!hasBrowser)('the board', () => {
  let stage: Stage;
  let demo: DemoBoard;
  let window: Window;
  beforeAll(async () => {
    stage = await openStage();
    demo = await fillDemoBoard(stage.store, Date.now());
    window = await stage.open();
    await window.page.getByRole('link', { name: 'Work' }).click();
  });
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const feature = (name: string) => window.page.getByRole('region', { name, exact: true });
  const column = (name: RegExp) => feature('Rate limits').getByRole('region', { name });
  const card = (name: string) => window.page.getByRole('article', { name, exact: true });
  const detail = (id: string) => window.page.getByRole('complementary', { name: `How ${id} stands` });
  const standing = (id: string) => window.page.getByRole('button', { name: `How ${id} stands` });
  /** The page reads everything anew when one comes back to it. */
  const comeBack = () => window.page.evaluate(`dispatchEvent(new Event('focus'))`);
  const cardsIn = (name: RegExp) => column(name).getByRole('heading', { level: 4 }).allTextContents();

  it('has a section for each feature, with its state, branch and specification', async () => {
    const limits = feature('Rate limits');
    await limits.getByText('In progress').waitFor();
    await limits.getByText('feature/rate-limits').waitFor();
    await limits.getByText('1 of 5 done').waitFor();
    expect(await limits.getByText('100 requests a minute').isVisible()).toBe(false);
    await limits.getByText('Specification').click();
    await limits.getByText('100 requests a minute').waitFor();
    await limits.getByText('Specification').click();
    await window.page.getByText('3 features, 8 tasks, 2 done').waitFor();
  });

  it('has one that is over folded', async () => {
    const fold = window.page.getByRole('button', { name: 'Health checks', exact: true });
    expect(await fold.getAttribute('aria-expanded')).toBe('false');
    expect(await card('Answer on /health').count()).toBe(0);
    await fold.press('Enter');
    await card('Answer on /health').waitFor();
    await fold.press('Enter');
  });

  it('has the tasks in the columns of their states', async () => {
    const headings = await feature('Rate limits').getByRole('heading', { level: 3 }).allTextContents();
    expect(headings.map((text) => text.replace(/ \d.*/, ''))).toEqual([
      'Planning',
      'In dev',
      'In QA',
      'In merge',
      'Done',
    ]);
    expect(await cardsIn(/^Planning/)).toEqual(['Write the guide', 'Show the limits on the dashboard']);
    expect(await cardsIn(/^In QA/)).toEqual(['Send the rate limit headers']);
    expect(await cardsIn(/^Done/)).toEqual(['Token bucket in memory']);
  });

  it('says what a task waits for', async () => {
    const waits = await card('Write the guide').locator('.task-waits').textContent();
    expect(waits).toContain('Keep the buckets in Redis In dev');
    expect(waits).toContain('Send the rate limit headers In QA');
    expect(waits).not.toContain('Token bucket');
    expect(waits).toContain('1 of 3 done');
    await card('Keep the buckets in Redis').getByText('After Token bucket in memory').waitFor();
  });

  it('measures the next request of a session against its budget', async () => {
    const meter = card('Keep the buckets in Redis').getByRole('meter', {
      name: `Next request of ${FAILING}`,
    });
    await meter.waitFor();
    const { tokens, checkpoint } = await demo.work.describeSession(FAILING);
    expect(Number(await meter.getAttribute('aria-valuenow'))).toBe(tokens.request);
    expect(Number(await meter.getAttribute('aria-valuemax'))).toBe(100_000);
    expect(await meter.getAttribute('aria-valuetext')).toMatch(/role .*context .*checkpoint .*messages /);
    const parts = await meter
      .locator('span')
      .evaluateAll((spans) => spans.map((span) => span.offsetWidth > 0));
    expect(parts).toEqual([true, true, true, true, true]);
    expect(checkpoint.tokens.totalSaved).toBeGreaterThan(1000);
    await card('Keep the buckets in Redis')
      .getByText(/^\d[\d.]*K saved$/)
      .waitFor();
  });

  it('opens how a session stands: the loop, the checkpoint, the tokens', async () => {
    const open = standing(FAILING);
    const said = await open.textContent();
    expect(said).toMatch(/Checkpoint 2.*decided.*open.*1 blocker.*Try 7: 1 failing/);
    await open.press('Enter');
    const column = detail(FAILING);
    await column.getByRole('heading', { name: 'Iteration 7' }).waitFor();
    expect(await column.getByRole('list', { name: 'Failed checks' }).textContent()).toBe('test');
    expect(await column.getByRole('list', { name: 'Passed checks' }).getByRole('listitem').count()).toBe(2);
    await column.getByText('expected 429, got 200').waitFor();
    await column.getByText('the test server runs Redis 6, and the script needs 7.').waitFor();
    await column.getByText('keys are the hashed address, never the address itself.').waitFor();
    await column.getByText('say how to run without Redis.').waitFor();
    await column.getByText('the Lua script and its tests.').waitFor();
    const cells = await column.getByRole('row').getByRole('cell').allTextContents();
    const amounts = cells
      .filter((cell) => !cell.endsWith('%'))
      .map((cell) => Number(cell.replaceAll(',', '')));
    const { tokens } = await demo.work.describeSession(FAILING);
    expect(amounts[0]).toBe(tokens.role);
    expect(amounts.reduce((sum, each) => sum + each, 0)).toBe(tokens.request);
    await window.page.keyboard.press('Escape');
    await expect.poll(() => column.count()).toBe(0);
    expect(await open.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  });

  it('says so when there is no checkpoint yet, and whose else is shown', async () => {
    await standing(REVIEW).click();
    await detail(REVIEW).getByText('There is no checkpoint yet').waitFor();
    await detail(REVIEW).getByText('Every check passes.').waitFor();
    await detail(REVIEW).getByRole('link', { name: 'dev_rate-limits_headers_in_dev' }).waitFor();
    await detail(REVIEW).getByRole('button', { name: 'Close this column' }).click();
  });

  it('leads to the session, and back', async () => {
    const { page } = window;
    await card('Keep the buckets in Redis').getByRole('link', { name: FAILING }).click();
    await page.getByRole('heading', { level: 1, name: /dev on rate-limits\/redis/ }).waitFor();
    await page.getByText('IPv6 addresses are written in two ways').first().waitFor();
    await page.goBack();
    await card('Send the rate limit headers').getByText('1 other session').click();
    const others = card('Send the rate limit headers').getByRole('list', { name: /^Other sessions/ });
    await others.getByText('ended').waitFor();
    expect(await others.getByRole('link').getAttribute('href')).toContain('dev_rate-limits_headers_in_dev');
  });

  it('moves a task, with the reason', async () => {
    const { page } = window;
    await card('Send the rate limit headers').getByRole('button', { name: /^Move/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Move “Send the rate limit headers”' });
    const choices = await dialog.getByRole('list', { name: 'States' }).getByRole('button').allTextContents();
    expect(choices).toEqual(['In merge', 'In dev', 'Done', 'Blocked', 'Cancelled']);
    await dialog.getByRole('textbox').fill('looks good');
    await dialog.getByRole('button', { name: 'In merge' }).click();
    await column(/^In merge/)
      .getByRole('article')
      .waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
    const { moves } = await demo.work.task('rate-limits', 'headers');
    expect(moves.at(-1)).toMatchObject({ from: 'in_qa', to: 'in_merge', reason: 'looks good', by: 'owner' });
  });

  it('says why a task may not go, and lets one insist', async () => {
    const { page } = window;
    await card('Write the guide').getByRole('button', { name: /^Move/ }).click();
    const dialog = page.getByRole('dialog');
    // It waits for others, so the server does not offer it.
    const offered = await dialog
      .getByRole('list', { name: 'States', exact: true })
      .getByRole('button')
      .allTextContents();
    expect(offered).toEqual(['Blocked', 'Cancelled']);
    await dialog.getByText('Somewhere else').click();
    await dialog.getByRole('button', { name: 'In dev' }).click();
    await page.getByRole('alert').getByText('waits for redis, headers, which are not done').waitFor();
    expect((await demo.work.task('rate-limits', 'docs')).state).toBe('planning');
    await page.getByRole('button', { name: 'Move it anyway' }).click();
    await expect.poll(() => cardsIn(/^In dev/)).toEqual(['Keep the buckets in Redis', 'Write the guide']);
  });

  it('follows what others do, in a session and on the board', async () => {
    await demo.work.recordLoop(FAILING, 8, { passed: ['build'], failed: ['lint', 'test'] });
    await standing(FAILING).getByText('Try 8: 2 failing').waitFor();
    await demo.work.moveTask('rate-limits', 'redis', 'blocked', { reason: 'Redis 7 comes on Monday' });
    await column(/^Blocked/)
      .getByRole('article', { name: 'Keep the buckets in Redis' })
      .waitFor();
  });

  it('shows what strangers wrote as text', async () => {
    const { work } = demo;
    await work.setFeature('odd', {
      name: HOSTILE,
      spec: `${HOSTILE}\n\n[x](javascript:window.robbed=1)`,
      branch: HOSTILE,
    });
    await work.setTask('odd', 'one', { title: HOSTILE, description: HOSTILE });
    await work.setTask('odd', 'two', { title: HOSTILE, dependsOn: ['one'] });
    const id = await work.getOrCreateSession('dev-task', 'odd', 'one');
    for (let turn = 0; turn < 4; turn++) {
      await work.addMessage(id, 'user', 'Go on.');
      await work.addMessage(id, 'assistant', `Decision: ${turn} ${HOSTILE}\nBlocker: ${turn} ${HOSTILE}`);
    }
    await work.compact(id);
    await work.recordLoop(id, 1, { passed: [HOSTILE], failed: [`${HOSTILE}2`], lastError: HOSTILE });
    await comeBack();
    const odd = feature(HOSTILE);
    await odd.getByText('Specification').click();
    await standing(id).getByText('Checkpoint 1').waitFor();
    await standing(id).click();
    await detail(id).getByText(`0 ${HOSTILE}`).first().waitFor();
    await odd.getByRole('button', { name: /^Move/ }).first().click();
    await window.page.getByRole('dialog', { name: `Move “${HOSTILE}”` }).waitFor();
    await window.page.keyboard.press('Escape');
    await detail(id).getByRole('button', { name: 'Close this column' }).click();
    expect(await window.page.evaluate('window.robbed')).toBeUndefined();
    expect(await odd.locator('img, script, a[href^="javascript"]').count()).toBe(0);
    await work.setFeature('odd', { removed: true });
    await comeBack();
    await expect.poll(() => odd.count()).toBe(0);
  });

  it('says what to do where nothing is planned, and keeps the project that was chosen', async () => {
    const { page } = window;
    const empty = await demo.elsewhere('empty-shop');
    await page.reload();
    await page.getByLabel('Project of the board').selectOption({ label: 'empty-shop' });
    await page.getByRole('heading', { name: 'Nothing is planned for empty-shop yet' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Nothing is planned for empty-shop yet' }).waitFor();
    await empty.setFeature('first', { name: 'The first one' });
    await comeBack();
    await feature('The first one').getByText('No tasks yet.').waitFor();
    await page.getByLabel('Project of the board').selectOption({ label: 'atlas-api' });
    await feature('Rate limits').waitFor();
    expect(window.complaints).toEqual([]);
  });

  it('stacks its columns on a narrow screen, and nothing sticks out', async () => {
    const narrow = await stage.open('', { viewport: { width: 390, height: 780 } });
    await narrow.page.evaluate(`location.hash = '#/work'`);
    await narrow.page.getByLabel('Project of the board').selectOption({ label: 'atlas-api' });
    await narrow.page.getByRole('article', { name: 'Keep the buckets in Redis' }).waitFor();
    const columns = narrow.page.locator('.task-column[data-empty="false"]');
    const boxes = await Promise.all((await columns.all()).map((one) => one.boundingBox()));
    for (const box of boxes) expect(box).toMatchObject({ x: boxes[0]!.x, width: boxes[0]!.width });
    expect(boxes[1]!.y).toBeGreaterThan(boxes[0]!.y + boxes[0]!.height);
    const wide = await narrow.page.evaluate(`document.querySelector('.board').scrollWidth`);
    expect(wide).toBeLessThanOrEqual(390);
    await narrow.page.getByRole('button', { name: `How ${FAILING} stands` }).click();
    await narrow.page.getByRole('heading', { name: 'Iteration 8' }).waitFor();
    await narrow.page.getByRole('button', { name: 'Close this column' }).click();
    expect(narrow.complaints).toEqual([]);
    await narrow.close();
  });
});

// UPDATE_PICTURES=1 npx vitest run test/web/board.test.ts makes it anew.
if (process.env.UPDATE_PICTURES) {
  describe('the picture of the board', () => {
    it('is taken', async () => {
      await using stage = await openStage();
      await using _ = await fillDemoBoard(stage.store, NOON);
      const viewport = { width: 1600, height: 900 };
      const { page } = await stage.open('', { reducedMotion: 'reduce', colorScheme: 'light', viewport });
      await page.clock.setFixedTime(NOON);
      await page.evaluate(`location.hash = '#/work'`);
      await page.getByRole('button', { name: `How ${FAILING} stands` }).click();
      await page.getByRole('heading', { name: 'Iteration 7' }).waitFor();
      await page.evaluate('document.activeElement?.blur()');
      await page.waitForTimeout(400);
      await page.screenshot({ path: 'docs/pictures/web-board.png' });
    });
  });
}
