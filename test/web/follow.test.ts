import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSession, newEntryId } from '../../src/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { hang, reply, type Step, trickle } from '../support/wire-script.ts';
import { type Asked, hasBrowser, openStage, type Stage, type Window } from './stage.ts';

const CODE = `\`\`\`ts\n${Array.from({ length: 30 }, (_, n) => `const part${n} = cut(file, ${n});`).join('\n')}\n\`\`\``;
const TABLE = `| Part | Size |\n|---|---|\n${Array.from({ length: 20 }, (_, n) => `| ${n} | ${n * 8} MB |`).join('\n')}`;
const SCREENS = `# The plan\n\n${'Words that go on for a line or two. '.repeat(12)}\n\n${CODE}\n\n${TABLE}\n\n${CODE}\n\nThe end.`;

describe.skipIf(!hasBrowser)('the end of the timeline', () => {
  let stage: Stage;
  let window: Window;
  let next: Step = reply('Ready.');
  beforeAll(async () => {
    stage = await openStage(() => next);
    window = await stage.open();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const field = () => window.page.getByLabel('Message', { exact: true });
  const say = async (text: string) => {
    await field().fill(text);
    await field().press('Enter');
  };
  const live = () => window.page.locator('.row[data-kind="live"]');
  const rows = (text: string) => window.page.locator('.row[data-kind="message"]').filter({ hasText: text });
  const fromEnd = async () => Number(await window.page.evaluate(FROM_END));

  async function begin(id: string, turns: number): Promise<void> {
    await using session = await createSession(stage.store, { id, title: id });
    for (let n = 1; n <= turns; n++)
      await session.append([user(`Question ${n}`), assistant(`Answer ${n}\n\n${CODE}\n\n${TABLE}`)]);
    await window.page.evaluate(`location.hash = '#/session/${id}'`);
    await window.page.getByRole('heading', { level: 1, name: id }).waitFor();
    await rows(turns > 0 ? `Answer ${turns}` : '')
      .count()
      .then(() => expect.poll(fromEnd).toBeLessThan(2));
  }

  it.each([0, 30])(
    'stays in view while an answer of several screens is written, after %i turns',
    async (turns) => {
      await begin(`Follow-${turns}`, turns);
      next = trickle(reply(SCREENS), 2);
      await window.page.evaluate(WATCH);
      await say(`A long question.\n\n${SCREENS}`);
      await expect
        .poll(async () => (await stage.store.session(`Follow-${turns}`))!.totals.messages, {
          timeout: 30_000,
        })
        .toBe(turns * 2 + 2);
      await expect.poll(() => live().count()).toBe(0);
      const { frames, most } = (await window.page.evaluate('window.watched')) as Record<string, number>;
      expect(frames).toBeGreaterThan(20);
      expect(most).toBeLessThan(4);
    },
  );

  it('stops following after scrolling up a little, and follows again at the end', async () => {
    await begin('A-little', 3);
    next = trickle(reply(SCREENS), 4);
    await say('Write.');
    await live().getByText('Words that go on').waitFor();
    await window.page.mouse.move(700, 400);
    await window.page.mouse.wheel(0, -30);
    await expect.poll(fromEnd, { timeout: 10_000 }).toBeGreaterThan(150);
    await expect
      .poll(async () => {
        await window.page.mouse.wheel(0, 100_000);
        return fromEnd();
      })
      .toBeLessThan(4);
    await rows('The end.').waitFor();
    await expect.poll(fromEnd).toBeLessThan(4);
  });

  it('is where one is after saying something, wherever one was', async () => {
    await begin('From-above', 40);
    await window.page.evaluate(`location.hash = '#/session/From-above/3'`);
    await rows('Question 2').waitFor();
    next = reply('Here below.');
    await say('And now?');
    await rows('Here below.').waitFor();
    await expect.poll(fromEnd).toBeLessThan(4);
  });

  it.each([
    {
      what: 'an older page',
      id: 'During-older',
      isIt: ({ before }: Asked['params']) => before !== undefined,
    },
    {
      what: 'the newest page',
      id: 'During-newest',
      isIt: ({ after }: Asked['params']) => after !== undefined,
    },
  ])('keeps a message that comes while reading $what', async ({ what, id, isIt }) => {
    await begin(id, 55);
    const gate = Promise.withResolvers<void>();
    let isRead = false;
    const other = await stage.open(id, {
      hold({ method, params }) {
        if (method !== 'chat/message/list' || !isIt(params)) return undefined;
        isRead = true;
        return gate.promise;
      },
    });
    const { page } = other;
    const said = (text: string) => page.locator('.row[data-kind="message"]').filter({ hasText: text });
    await said('Answer 55').waitFor();
    await page.getByText('110 messages').first().waitFor();
    const mark = { body: { kind: 'setting', name: 'note', value: 'anything', by: 'user' } } as const;
    if (what === 'an older page')
      await expect
        .poll(async () => {
          await page.evaluate(`document.querySelector('.timeline').scrollTo(0, 0)`);
          return isRead;
        })
        .toBe(true);
    // A setting makes the page read again what it shows.
    else await stage.store.append(id, [mark]);
    await expect.poll(() => isRead).toBe(true);
    await stage.store.append(id, [{ body: user('Said in between') }]);
    await page.locator('.session-head').getByText('111 messages').waitFor();
    gate.resolve();
    if (what === 'an older page') await page.getByText('The beginning of this session.').waitFor();
    if (await page.getByRole('button', { name: 'Newest' }).isVisible())
      await page.getByRole('button', { name: 'Newest' }).click();
    await said('Said in between').waitFor();
    // The next change has been seen to: nothing is read any more that could take it away.
    await stage.store.append(id, [{ body: assistant('And answered') }]);
    await said('And answered').waitFor();
    expect(await said('Said in between').count()).toBe(1);
    await other.close();
  });

  it('does not pull away what one opens to read', async () => {
    await begin('Opened', 3);
    const reasoning = { type: 'reasoning', text: SCREENS };
    const parts = [reasoning, { type: 'text', text: 'Thought through.' }];
    await stage.store.append('Opened', [{ body: { kind: 'message', role: 'assistant', parts } }]);
    const thought = window.page.getByText('Thought about it');
    await thought.waitFor();
    await expect.poll(fromEnd).toBeLessThan(2);
    // Rows are measured after they are drawn; the place counts once two looks at it agree.
    let before = Number.NaN;
    const moved = async () => {
      const last = before;
      before = (await thought.boundingBox())!.y;
      return Math.abs(before - last);
    };
    await expect.poll(moved).toBeLessThan(0.5);
    await thought.click();
    await expect.poll(fromEnd).toBeGreaterThan(300);
    expect(Math.abs((await thought.boundingBox())!.y - before)).toBeLessThan(2);
  });

  it('shows what waits for its turn after the page is loaded again, and that an answer is being made', async () => {
    await begin('Reloaded', 0);
    next = hang();
    await say('First');
    await live().getByRole('status').waitFor();
    await say('Second, meanwhile');
    await window.page.getByText('Stored. Answered next.').waitFor();
    const other = await stage.open('Reloaded');
    await other.page.getByText('Second, meanwhile').waitFor();
    await window.page.reload();
    await window.page.getByText('Second, meanwhile').waitFor();
    await window.page.getByText('Stored. Answered next.').waitFor();
    next = reply('The second answer.');
    await window.page.getByRole('button', { name: 'Stop' }).click();
    for (const { page } of [window, other]) {
      await page.getByText('The second answer.').waitFor();
      await expect.poll(() => page.getByText('Second, meanwhile').count()).toBe(1);
    }
    expect(other.complaints).toEqual([]);
    await other.close();
  });

  it('offers to answer what a server that is gone left waiting', async () => {
    const [note, input] = [newEntryId(), newEntryId()];
    const parts = [{ type: 'text', text: 'Said before the crash' }];
    await begin('Left', 1);
    await stage.store.append('Left', [
      { id: note, body: { kind: 'run', step: 'waiting', input, parts } },
      { body: { kind: 'setting', name: 'waiting', value: [note], by: 'auto' } },
    ]);
    await window.page.getByText('Stored, and not answered yet.').waitFor();
    next = reply('Answered after all.');
    await window.page.getByRole('button', { name: 'Answer now' }).click();
    await rows('Answered after all.').waitFor();
    await expect.poll(() => window.page.getByText('Said before the crash').count()).toBe(1);
    expect(window.complaints).toEqual([]);
  });
});

const FROM_END = `(() => {
  const { scrollHeight, clientHeight, scrollTop } = document.querySelector('.timeline');
  return scrollHeight - clientHeight - scrollTop;
})()`;

/** How far from the end it is for two frames in a row: the first of them may be before what has grown was seen to. */
const WATCH = `(() => {
  window.watched = { frames: 0, most: 0 };
  let before = 0;
  const look = () => {
    const now = ${FROM_END};
    window.watched.frames += 1;
    window.watched.most = Math.max(window.watched.most, Math.min(before, now));
    before = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;
