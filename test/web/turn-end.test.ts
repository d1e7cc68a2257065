import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSession } from '../../src/index.ts';
import type { TurnAnswerRecord } from '../../src/operations/records/turn-record.ts';
import type { LiveEvent } from '../../src/operations/runs/live-event.ts';
import { advanceTurn, startTurn } from '../../web/session/live-turn.ts';
import { runsElsewhere, turnEnd } from '../../web/session/turn-end.ts';
import { held, reply, type Step, unauthorized } from '../support/wire-script.ts';
import { hasBrowser, openStage, type Stage } from './stage.ts';

const USAGE = {
  inputTokens: 1,
  outputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
const record = (id: string, fields: Partial<TurnAnswerRecord> = {}) =>
  ({
    id,
    status: 'failed',
    seq: 1,
    question: 'Why?',
    askedAt: 1,
    beganAt: 1,
    endedAt: 2,
    attempts: 1,
    answer: null,
    model: null,
    answers: 0,
    usage: USAGE,
    cutBy: null,
    error: { code: 'model-refused', message: 'No key.' },
    ...fields,
  }) as TurnAnswerRecord;

const ENDED = { type: 'turn-end' } as LiveEvent;
const failedBy = (code: string, message: string) => ({ type: 'turn-error', code, message }) as LiveEvent;
const heard = (turn: string, event: LiveEvent) => advanceTurn(startTurn(turn), event);
/** As it is once the record was read behind its end. */
const lookedUp = (turn: string, event: LiveEvent) => ({ ...heard(turn, event), lookedUp: true });

describe('how the newest turn ended', () => {
  it('does not follow from the record of the turn before it', () => {
    expect(turnEnd(record('first'), heard('second', ENDED))).toBeUndefined();
    const next = turnEnd(record('first'), heard('second', failedBy('model-refused', 'No credit.')));
    expect(next).toMatchObject({ turn: 'second', says: 'No credit.' });
    const running = record('first', { status: 'running', error: null });
    expect(runsElsewhere(running, heard('second', ENDED))).toBe(false);
  });

  it('does not follow from the record of the try before it', () => {
    expect(turnEnd(record('first'), heard('first', ENDED))).toBeUndefined();
    const again = turnEnd(record('first'), heard('first', failedBy('model-refused', 'No credit.')));
    expect(again).toMatchObject({ turn: 'first', says: 'No credit.' });
  });

  it('follows from the record read since, also of a turn that another program wrote', () => {
    const end = { turn: 'third', says: 'No key.', failed: true, action: 'Ask again' };
    expect(turnEnd(record('third'), undefined)).toEqual(end);
    expect(turnEnd(record('third'), lookedUp('second', ENDED))).toEqual(end);
    expect(turnEnd(record('third'), lookedUp('second', failedBy('model-refused', 'Other.')))).toEqual(end);
    const running = record('third', { status: 'running', error: null });
    expect(runsElsewhere(running, lookedUp('second', ENDED))).toBe(true);
  });

  it('is said in the words of the record where a provider cut the answer', () => {
    const error = { code: 'answer-cut', message: 'A filter of the provider ended it.' };
    const cut = record('first', { status: 'interrupted', cutBy: 'provider', error });
    expect(turnEnd(cut, undefined)).toMatchObject({ says: error.message, failed: false });
  });

  it('is taken from the event where the store could not write it', () => {
    const cut = record('first', { status: 'interrupted', error: null });
    for (const by of [heard, lookedUp])
      expect(turnEnd(cut, by('second', failedBy('store-full', 'The disk is full.')))).toMatchObject({
        turn: 'first',
        says: 'The disk is full.',
      });
  });
});

describe.skipIf(!hasBrowser)('the page behind a failed turn', () => {
  let stage: Stage;
  let next: Step;
  beforeAll(async () => {
    stage = await openStage(() => next);
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  it('offers nothing again when the next question has its answer, before the record of that has come', async () => {
    await (await createSession(stage.store, { id: 'two', title: 'Two questions' })).close();
    const record = Promise.withResolvers<void>();
    let isHeld = false;
    const { page, close } = await stage.open('two', {
      hold: ({ method }) => (isHeld && method === 'chat/session/get' ? record.promise : undefined),
    });
    const say = async (text: string) => {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.getByLabel('Message', { exact: true }).press('Enter');
    };
    const again = page.getByRole('button', { name: 'Ask again' });
    const stop = page.getByRole('button', { name: 'Stop' });

    next = unauthorized();
    await say('Tell me a story.');
    await again.waitFor();
    isHeld = true;
    const gate = Promise.withResolvers<void>();
    next = held(reply('The other story.'), gate.promise);
    await say('And another one.');
    await stop.waitFor();
    gate.resolve();
    await page.locator('.row[data-kind="message"]').filter({ hasText: 'The other story.' }).waitFor();
    await stop.waitFor({ state: 'detached' });
    expect(await again.count()).toBe(0);
    record.resolve();
    await page.getByText('The answer is complete.').waitFor({ state: 'attached' });
    expect(await again.count()).toBe(0);
    await close();
  });
});
