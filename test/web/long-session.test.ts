import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSession } from '../../src/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { hasBrowser, openStage, type Stage, type Window } from './stage.ts';

const TURNS = 10_000;
const WORDS = 'the part is stored under its checksum and asked for again when the line breaks '.split(' ');

describe.skipIf(!hasBrowser)('a session of 20,000 messages', () => {
  let stage: Stage;
  let window: Window;
  /** Messages that the server sent in one frame or several. */
  let sent = 0;
  let painted = 0;
  /** How many of them it took until something was to be seen. */
  let sentFirst = 0;

  beforeAll(async () => {
    stage = await openStage();
    await using session = await createSession(stage.store, { id: 'long', title: 'Twenty thousand' });
    for (let from = 0; from < TURNS; from += 500)
      await session.append(
        Array.from({ length: 500 }, (_, index) => [
          user(`Question ${from + index + 1}: ${text(index % 17)}?`),
          assistant(`Answer ${from + index + 1}. ${text(((index * 7) % 120) + 5)}`),
        ]).flat(),
      );
    window = await stage.open();
    countMessages(window.page, (count) => {
      sent += count;
    });
    await window.page.reload();
    await window.page.getByRole('link', { name: /Twenty thousand/ }).waitFor();
    const started = performance.now();
    await window.page.evaluate(`location.hash = '#/session/long'`);
    await window.page.locator('.row[data-kind="message"]').first().waitFor();
    painted = performance.now() - started;
    sentFirst = sent;
  }, 120_000);
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const rows = () => window.page.locator('.row[data-kind="message"]');

  it('shows its newest messages with at most 200 sent, and few of them in the page', async () => {
    await rows()
      .filter({ hasText: `Answer ${TURNS}.` })
      .waitFor();
    // By then it has settled, and would have asked for more.
    await window.page.locator('.meter-share').filter({ hasText: '%' }).waitFor();
    console.log(`first paint of the timeline after ${Math.round(painted)} ms, ${sent} messages sent`);
    expect(sentFirst).toBe(100);
    expect(sent).toBeLessThanOrEqual(200);
    expect(await rows().count()).toBeLessThan(60);
  });

  it('is scrolled through without a blank frame, in order and without a gap', async () => {
    const seen = await window.page.evaluate(scrollUpTo(TURNS - 120));
    const { blanks, frames, numbers } = seen as { blanks: string[]; frames: number; numbers: number[] };
    console.log(
      `${frames} frames, ${blanks.length} blank, ${numbers.length} questions seen, back to ${Math.min(...numbers)}`,
    );
    expect(blanks).toEqual([]);
    expect(Math.min(...numbers)).toBeLessThanOrEqual(TURNS - 120);
    const sorted = [...numbers].sort((a, b) => a - b);
    expect(sorted).toEqual(Array.from({ length: sorted.length }, (_, index) => sorted[0]! + index));
  });

  it('goes to a message in its middle, and on from there in both directions', async () => {
    const { page } = window;
    await page.evaluate(`location.hash = '#/session/long/10001'`);
    await page.locator('.row-marked').waitFor();
    const marked = Number(
      /(?:Question|Answer) (\d+)/.exec((await page.locator('.row-marked').textContent())!)![1],
    );
    expect(Math.abs(marked - 5000)).toBeLessThan(3);
    const { numbers } = (await page.evaluate(scrollUpTo(4940))) as { numbers: number[] };
    expect(Math.min(...numbers)).toBeLessThan(4950);
    await page.getByRole('button', { name: 'Newest' }).click();
    await rows()
      .filter({ hasText: `Answer ${TURNS}.` })
      .waitFor();
    expect(window.complaints).toEqual([]);
  });
});

function text(words: number): string {
  return Array.from({ length: words + 1 }, (_, index) => WORDS[index % WORDS.length]).join(' ');
}

interface Frame {
  readonly result?: { readonly messages?: unknown[] };
  readonly method?: string;
}

function countMessages(page: Page, onCount: (count: number) => void): void {
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const { result, method } = JSON.parse(String(payload)) as Frame;
      if (Array.isArray(result?.messages)) onCount(result.messages.length);
      if (method === 'session/entry') onCount(1);
    }),
  );
}

/** Runs in the page: scrolls up like a person with a wheel, and looks at every frame whether the middle shows something. */
const scrollUpTo = (question: number) => `new Promise((resolve) => {
  const timeline = document.querySelector('.timeline');
  const box = timeline.getBoundingClientRect();
  const numbers = new Set();
  const blanks = [];
  let frames = 0;
  const look = () => {
    for (const row of document.querySelectorAll('.row[data-role="user"]'))
      numbers.add(Number(/Question (\\d+)/.exec(row.textContent)[1]));
    for (const share of [0.2, 0.5, 0.8]) {
      const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height * share);
      if (!at.closest('.row')) blanks.push([frames, share, timeline.scrollTop, timeline.scrollHeight, at.className].join(' '));
    }
    frames += 1;
    if (numbers.has(${question}) || frames >= 3000) return resolve({ blanks, frames, numbers: [...numbers] });
    timeline.scrollBy(0, -240);
    requestAnimationFrame(look);
  };
  look();
})`;
