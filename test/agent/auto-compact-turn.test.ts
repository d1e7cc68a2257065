import { describe, expect, it } from 'vitest';
import { runTurn, stopBackground, type TurnEvent, type TurnOptions } from '../../src/agent/index.ts';
import { PRESETS } from '../../src/compaction/index.ts';
import { emptySummary } from '../../src/record/index.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { scripted } from '../compaction/scripted-summariser.ts';
import { scriptedModel } from './scripted-model.ts';
import { told } from './told.ts';

const words = 'a good many words about the state of things and what to do next with them. '.repeat(8);
const settings = { ...PRESETS.balanced, trigger: { tokens: 2_000 }, keep: { messages: 2 } };
const open = (): Promise<Session> => createSession(createMemoryStore(), { id: 's' });
const talkative = (limits: { window?: number; output?: number } = {}) =>
  scriptedModel(() => ({ text: `a ${words}`, usage: { input: 0, output: 0 } }), limits);

/** Talks until the context was compacted, and tells what was seen on the way. */
async function talkUntilCompacted(session: Session, options: TurnOptions): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  const onEvent = (event: TurnEvent) => events.push(event);
  const compacted = () =>
    events.some((event) => event.type === 'compaction-end' && event.outcome.did === 'compact');
  for (let turn = 0; turn < 30 && !compacted(); turn++)
    await runTurn(session, `q ${words}`, { ...options, onEvent });
  return events;
}

describe('a long conversation', () => {
  it('is prepared for at the soft mark, in the background, and shortened at the hard mark', async () => {
    const session = await open();
    const summariser = scripted(() => ({ summary: emptySummary('What was said so far.') }));
    const events = await talkUntilCompacted(session, {
      model: talkative(),
      compaction: { settings, summariser },
    });
    const outcomes = events.flatMap((event) => (event.type === 'compaction-end' ? [event.outcome.did] : []));
    expect(outcomes).toEqual(['prepare', 'compact']);
    expect(summariser.requests).toHaveLength(1);
    expect((await told(session)).filter((line) => line === '(compaction)')).toHaveLength(1);
  });

  it('is shortened by the digest when there is no model for it, and every question is answered', async () => {
    const session = await open();
    const model = talkative();
    await talkUntilCompacted(session, { model, compaction: { settings, summariser: 'digest' } });
    await runTurn(session, 'And now?', { model, compaction: { settings, summariser: 'digest' } });
    const last = model.requests.at(-1)!.prompt;
    expect(JSON.stringify(last.at(-1))).toContain('And now?');
    expect(last.length).toBeLessThan(8);
  });

  it('is shortened by what stands in for a model that may not be asked any more', async () => {
    const session = await open();
    const standIn = scripted(() => ({
      summary: emptySummary('In its own words.'),
      by: { kind: 'digest', version: 'stand-in' },
    }));
    const model = scripted(() => Promise.reject(new Error('no')));
    const summariser = { ...model, withoutModel: standIn };
    const compaction = { settings, summariser };
    await talkUntilCompacted(session, { model: talkative(), compaction });
    await talkUntilCompacted(session, { model: talkative(), compaction });
    expect(standIn.requests.length).toBeGreaterThan(0);
  });

  it('queues messages during it: they are stored at once and answered after', async () => {
    const session = await open();
    const writing = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const summariser = scripted(async () => {
      begun.resolve();
      await writing.promise;
      return { summary: emptySummary('What was said so far.') };
    });
    const model = talkative();
    const events: TurnEvent[] = [];
    const options = {
      model,
      compaction: { settings: { ...settings, soft: 1 }, summariser },
      onEvent: (event: TurnEvent) => events.push(event),
    };
    let turn: Promise<unknown> = Promise.resolve();
    const full = begun.promise.then(() => 'full');
    for (;;) {
      turn = runTurn(session, `q ${words}`, options);
      if ((await Promise.race([turn.then(() => 'answered'), full])) === 'full') break;
    }
    // The compaction holds up the answer, or goes on behind it; either way this is stored now.
    const id = '019b6f1c-3f68-7000-9a41-5c0f2b7d8e23';
    const next = runTurn(session, { id, parts: 'Said meanwhile' }, options);
    while (!events.some((event) => event.type === 'input-stored' && event.id === id))
      await new Promise(setImmediate);
    const before = await told(session);
    expect(before).not.toContain('(compaction)');
    writing.resolve();
    await Promise.all([turn, next]);
    const after = await told(session);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toContain('(compaction)');
    expect(JSON.stringify(model.requests.at(-1)!.prompt.at(-1))).toContain('Said meanwhile');
  });

  it('does not delay stopping the turn', async () => {
    const session = await open();
    const stop = new AbortController();
    const summariser = scripted(() => {
      stop.abort();
      return new Promise<never>(() => {});
    });
    const model = talkative();
    const compaction = { settings: { ...settings, soft: 1 }, summariser };
    while (!stop.signal.aborted) {
      await runTurn(session, `q ${words}`, { model, compaction, signal: stop.signal });
      await new Promise(setImmediate);
    }
    await stopBackground(session);
    expect((await told(session)).filter((line) => line.startsWith('user')).length).toBeGreaterThan(1);
  });

  it('changes nothing when the turn is stopped, and uses the written summary in the next', async () => {
    const session = await open();
    const stop = new AbortController();
    const written = Promise.withResolvers<void>();
    const summariser = scripted(async () => {
      stop.abort();
      await written.promise;
      return { summary: emptySummary('What was said so far.') };
    });
    const model = talkative({ window: 4_000 });
    const compaction = { settings: { ...settings, soft: 1 }, summariser };
    for (let turn = 0; turn < 10; turn++) await runTurn(session, 'q', { model, compaction });
    // The question does not fit beside what was said, so the answer to it has to wait.
    await runTurn(session, words.repeat(22), { model, compaction, signal: stop.signal });
    expect(stop.signal.aborted).toBe(true);
    written.resolve();
    await new Promise(setImmediate);
    expect(await told(session)).not.toContain('(compaction)');
    await runTurn(session, 'And now?', { model, compaction });
    expect(await told(session)).toContain('(compaction)');
    expect(summariser.requests).toHaveLength(1);
  });

  it('says once why it is no longer shortened and what to do, and goes on once there is room', async () => {
    const session = await open();
    const model = talkative();
    const compaction = { settings, summariser: 'digest' as const };
    const large = { name: 'Sally', instructions: 'Many words of advice. '.repeat(400) };
    const turn = async (agent: TurnOptions['agent'] = large) => {
      const events: TurnEvent[] = [];
      const onEvent = (event: TurnEvent) => events.push(event);
      await runTurn(session, `q ${words}`, { model, compaction, onEvent, ...(agent && { agent }) });
      await new Promise(setImmediate);
      return events.filter(({ type }) => type.startsWith('compaction'));
    };
    const seen: TurnEvent[] = [];
    for (let n = 0; n < 12; n++) seen.push(...(await turn()));
    expect(seen).toEqual([
      {
        type: 'compaction-end',
        outcome: {
          did: 'stop',
          reason: expect.stringMatching(
            /of the 2,000 tokens .* are instructions.*choose a model with a larger window/,
          ),
        },
      },
    ]);
    const small = { name: 'Sally', instructions: 'Be brief.' };
    expect(await turn(small)).toContainEqual(
      expect.objectContaining({ outcome: expect.objectContaining({ did: 'compact' }) }),
    );
  });

  it('is left alone by the policy off, and still fits', async () => {
    const session = await open();
    const model = talkative({ window: 4_000, output: 500 });
    for (let turn = 0; turn < 20; turn++) await runTurn(session, `q ${words}`, { model, compaction: false });
    expect(await told(session)).not.toContain('(compaction)');
    expect(model.requests.at(-1)!.prompt.length).toBeLessThan(30);
  });

  it('says in numbers when what cannot be shortened is too much', async () => {
    const session = await open();
    const model = scriptedModel([], { window: 2_000, output: 500 });
    const agent = { name: 'Sally', instructions: 'many words '.repeat(3_000) };
    await expect(runTurn(session, 'Hi', { model, agent })).rejects.toMatchObject({ code: 'head-too-large' });
    expect(await told(session)).toEqual(['user: Hi']);
  });
});
