import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSession, openSession } from '../../src/index.ts';
import {
  hang,
  noCredit,
  overloaded,
  reply,
  type Step,
  stall,
  trickle,
  unauthorized,
} from '../support/wire-script.ts';
import { hasBrowser, openStage, type Stage, type Window } from './stage.ts';

describe.skipIf(!hasBrowser)('the chat', () => {
  let stage: Stage;
  let window: Window;
  /** What the model does next; it is asked for nothing else in this file. */
  let next: Step = reply('Ready.');
  let count = 0;
  beforeAll(async () => {
    stage = await openStage(() => next);
    window = await stage.open();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    const id = `talk-${++count}`;
    await (await createSession(stage.store, { id, title: `Talk ${count}` })).close();
    await window.page.evaluate(`location.hash = '#/session/${id}'`);
    await window.page.getByRole('heading', { level: 1, name: `Talk ${count}` }).waitFor();
  });

  const here = () => `talk-${count}`;
  const field = () => window.page.getByLabel('Message', { exact: true });
  const say = async (text: string) => {
    await field().fill(text);
    await field().press('Enter');
  };
  const rows = (text: string) => window.page.locator('.row[data-kind="message"]').filter({ hasText: text });

  it('shows an answer as it is written, and then as it is kept', async () => {
    next = trickle(reply(`Here is **the plan**: ${'step by step '.repeat(40)}and done.`), 8);
    await say('What is the plan?');
    const live = window.page.locator('.row[data-kind="live"]');
    await live.getByText('Here is the plan').waitFor();
    expect(await live.getByRole('status').count()).toBe(1);
    expect(await live.locator('strong').textContent()).toBe('the plan');
    await rows('and done.').waitFor();
    await expect.poll(() => live.count()).toBe(0);
    expect(await rows('What is the plan?').count()).toBe(1);
  });

  it('stays with the newest words, unless one has scrolled up to read', async () => {
    const { page } = window;
    const fromEnd = () =>
      page.evaluate(
        `(() => { const at = document.querySelector('.timeline'); return at.scrollHeight - at.clientHeight - at.scrollTop; })()`,
      );
    next = trickle(reply(`${'A paragraph of some length.\n\n'.repeat(60)}The end of it.`), 6);
    await say('Write a lot.');
    await page.locator('.row[data-kind="live"]').getByText('A paragraph').first().waitFor();
    await rows('The end of it.').waitFor();
    await expect.poll(fromEnd).toBeLessThan(90);

    next = trickle(reply(`${'Another paragraph of text.\n\n'.repeat(60)}The end of the other.`), 6);
    await say('And more.');
    await page.locator('.row[data-kind="live"]').getByText('Another paragraph').first().waitFor();
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, -900);
    await expect.poll(fromEnd).toBeGreaterThan(500);
    const place = await page.evaluate(`document.querySelector('.timeline').scrollTop`);
    await expect
      .poll(async () => (await stage.store.session(here()))!.totals.messages, { timeout: 15_000 })
      .toBe(4);
    expect(
      Math.abs(Number(await page.evaluate(`document.querySelector('.timeline').scrollTop`)) - Number(place)),
    ).toBeLessThan(60);
    await page.getByRole('button', { name: 'Newest' }).click();
    await expect.poll(fromEnd).toBeLessThan(90);
  });

  it('stops on request and keeps the answer so far', async () => {
    next = trickle(reply(`Once upon a time ${'there was more '.repeat(4000)}`), 4);
    await say('Tell me a long story.');
    await window.page.locator('.row[data-kind="live"]').getByText('Once upon').waitFor();
    await window.page.getByRole('button', { name: 'Stop' }).click();
    await window.page.getByText('You stopped this answer.').waitFor();
    expect(await rows('Once upon a time').count()).toBe(1);
    expect(await rows('This answer is incomplete.').count()).toBe(0);
    next = reply('Another story.');
    await say('Another one, then.');
    await rows('Another story.').waitFor();
    await rows('This answer is incomplete.').getByText('Once upon a time').waitFor();
  });

  it('queues messages during an answer, and answers them next', async () => {
    next = trickle(reply(`First answer ${'word '.repeat(60)}end of the first.`), 8);
    await say('One');
    await window.page.locator('.row[data-kind="live"]').getByText('First answer').waitFor();
    next = reply('Second answer.');
    await say('Two');
    await window.page.getByText('Stored. Answered next.').waitFor();
    expect(await window.page.locator('.row[data-kind="live"]').textContent()).toContain('First answer');
    await rows('Second answer.').waitFor();
    const order = await window.page.locator('.row[data-kind="message"]').allTextContents();
    expect(order.map((text) => /One|First|Two|Second/.exec(text)?.[0])).toEqual([
      'One',
      'First',
      'Two',
      'Second',
    ]);
  });

  it('hands a message in to the answer that is being written, and shows it where it stands', async () => {
    const asked = stage.model.requests.length;
    next = trickle(reply(`The house is blue ${'and blue '.repeat(120)}all over.`), 8);
    await say('Paint the house.');
    await window.page.locator('.row[data-kind="live"]').getByText('The house is blue').waitFor();
    await field().fill('Only the roof.');
    next = reply('Only the roof is blue.');
    await window.page.getByRole('button', { name: 'Add to this answer' }).click();
    await window.page.getByText('Added to this answer. The model reads it at its next step.').waitFor();
    expect(await field().inputValue()).toBe('');
    await rows('Only the roof is blue.').waitFor();
    const order = await window.page.locator('.row[data-kind="message"]').allTextContents();
    expect(order.map((text) => /Paint|all over|Only the roof\.|is blue\./.exec(text)?.[0])).toEqual([
      'Paint',
      'all over',
      'Only the roof.',
      'is blue.',
    ]);
    await rows('Only the roof.').getByText('Added to the answer').waitFor();
    expect(stage.model.requests.length - asked).toBe(2);
    await window.page.reload();
    await rows('Only the roof.').getByText('Added to the answer').waitFor();
  });

  it('keeps a message for an answer that was stopped before the model had it, also after a reload', async () => {
    next = stall(reply('The house is blue all over, from the door to the roof.'));
    await say('Paint the house.');
    await window.page.locator('.row[data-kind="live"]').getByText('The house').waitFor();
    await field().fill('Only the roof.');
    await field().press('Control+Enter');
    const added = window.page.getByText('Added to this answer. The model reads it at its next step.');
    await added.waitFor();
    await window.page.reload();
    await added.waitFor();
    await window.page.getByRole('button', { name: 'Stop' }).click();
    await window.page.getByText('Stored. The model reads it when the question is asked again.').waitFor();
    next = reply('Only the roof is blue.');
    await window.page.getByRole('button', { name: 'Ask again' }).click();
    await rows('Only the roof is blue.').waitFor();
    expect(await rows('Only the roof.').count()).toBe(1);
    expect(JSON.stringify(stage.model.requests.at(-1)!.body)).toContain('Only the roof.');
  });

  it('sends a message as a new turn when the answer it was meant for has just ended', async () => {
    const late = await stage.open(here(), { refuse: { method: 'turn/steer', code: 'turn-not-running' } });
    const write = late.page.getByLabel('Message', { exact: true });
    next = trickle(reply(`The house is blue ${'and blue '.repeat(120)}all over.`), 8);
    await write.fill('Paint the house.');
    await write.press('Enter');
    await late.page.locator('.row[data-kind="live"]').getByText('The house is blue').waitFor();
    await write.fill('Only the roof.');
    next = reply('Only the roof is blue.');
    await late.page.getByRole('button', { name: 'Add to this answer' }).click();
    await rows('Only the roof is blue.').waitFor();
    await late.page.locator('.row[data-kind="message"]').filter({ hasText: 'Only the roof.' }).waitFor();
    expect(await rows('Only the roof.').count()).toBe(1);
    expect(await rows('Only the roof.').getByText('Added to the answer').count()).toBe(0);
    await late.close();
  });

  it.each([
    { fault: unauthorized(), says: /key/i },
    { fault: noCredit(), says: /credit|quota|billing/i },
  ])('says in words why a model failed, and asks again: $says', async ({ fault, says }) => {
    next = fault;
    await say('Are you there?');
    const problem = window.page.getByRole('alert');
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(says);
    expect(await problem.textContent()).toContain('Your message is saved.');
    next = trickle(reply('Now I am, and I say it slowly.'), 20);
    await problem.getByRole('button', { name: 'Ask again' }).click();
    const live = window.page.locator('.row[data-kind="live"]');
    await live.getByText(/^Now I/).waitFor();
    await rows('Now I am, and I say it slowly.').waitFor();
    expect(await rows('Part of kind').count()).toBe(0);
    await expect.poll(() => window.page.getByRole('alert').count()).toBe(0);
    expect(await rows('Are you there?').count()).toBe(1);
  });

  it('says that a busy model is asked again', async () => {
    next = overloaded({ retryAfterSeconds: 1 });
    await say('Hello?');
    await window.page.getByText(/Trying again \(1 of/).waitFor();
    next = reply('Hello.');
    await rows('Hello.').waitFor();
  });

  it('chooses the model by which the session is answered from then on', async () => {
    const picker = window.page.getByRole('combobox', { name: 'Model' });
    await expect.poll(() => picker.inputValue()).toContain('anthropic:');
    await picker.selectOption({ label: 'Offline, from what was said' });
    await expect
      .poll(async () => (await stage.store.session(here()))!.state.settings.model)
      .toContain('offline');
    const asked = stage.model.requests.length;
    await say('Which port?');
    await window.page
      .locator('.row[data-kind="message"] .row-model')
      .filter({ hasText: 'offline' })
      .waitFor();
    expect(stage.model.requests).toHaveLength(asked);
  });

  it('says who else writes in the session, and goes on in a fork', async () => {
    const other = await openSession(stage.store, here(), { owner: 'another window' });
    await say('Me too.');
    const problem = window.page.getByRole('alert');
    await problem.waitFor();
    expect(await problem.textContent()).toContain(
      'Another window or program is writing in this session (another window',
    );
    await problem.getByRole('button', { name: 'Fork and go on there' }).click();
    await window.page.getByLabel('Title', { exact: true }).fill('My own way');
    await window.page.getByRole('button', { name: 'Fork', exact: true }).click();
    await window.page.getByRole('heading', { level: 1, name: 'My own way' }).waitFor();
    await other.close();
  });

  it('keeps what could not be sent, and sends it once when asked again', async () => {
    const other = await openSession(stage.store, here(), { owner: 'another window' });
    await say('Just once.');
    const problem = window.page.getByRole('alert');
    await problem.waitFor();
    await other.close();
    next = reply('Once it is.');
    await problem.getByRole('button', { name: 'Try again' }).click();
    await rows('Once it is.').waitFor();
    expect(await rows('Just once.').count()).toBe(1);
  });

  it('shows the same turn in a second window, from its beginning', async () => {
    next = trickle(reply(`A shared answer ${'and more '.repeat(120)}to the end.`), 12);
    await say('Share this.');
    await window.page.locator('.row[data-kind="live"]').getByText('A shared answer').waitFor();
    const second = await stage.open(here());
    await second.page.locator('.row[data-kind="live"]').getByText('A shared answer').waitFor();
    await second.page.locator('.row[data-kind="message"]').filter({ hasText: 'to the end.' }).waitFor();
    expect(second.complaints).toEqual([]);
    await second.close();
  });

  it('goes on without a window: closing it loses nothing', async () => {
    const other = await stage.open(here());
    next = trickle(reply(`Written alone ${'bit by bit '.repeat(60)}until the end.`), 10);
    await other.page.getByLabel('Message', { exact: true }).fill('Go on without me.');
    await other.page.getByLabel('Message', { exact: true }).press('Enter');
    await other.page.locator('.row[data-kind="live"]').getByText('Written alone').waitFor();
    await other.close();
    await rows('until the end.').waitFor();
    next = hang();
    expect(window.complaints).toEqual([]);
  });
});
