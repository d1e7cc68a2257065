import { describe, expect, it } from 'vitest';
import { createAutoCompaction } from '../../src/compaction/index.ts';
import { emptySummary } from '../../src/record/index.ts';
import { readConversation } from '../../src/session/index.ts';
import { settings, start } from './growing-session.ts';
import { scripted } from './scripted-summariser.ts';

describe('automatic compaction', () => {
  it('does nothing below the soft mark', async () => {
    const { session, measure, say } = await start();
    await say(1);
    expect(await createAutoCompaction(session, { settings, measure }).consider()).toEqual({ did: 'nothing' });
  });

  it('prepares at the soft mark and swaps in at the hard mark, without asking again', async () => {
    const { session, measure, say } = await start();
    const summariser = scripted(() => ({ summary: emptySummary('Prepared early.') }));
    const auto = createAutoCompaction(session, { settings, measure, summariser });
    while ((await auto.consider()).did === 'nothing') await say(1);
    expect((await measure()).tokens).toBeLessThanOrEqual(2_000);
    const planned = session.info.head;
    while ((await measure()).tokens <= 2_000) await say(1);
    const outcome = await auto.consider();
    expect(outcome).toMatchObject({ did: 'compact', result: { by: { kind: 'model' } } });
    expect(summariser.requests).toHaveLength(1);
    const { frontier } = await readConversation(session.store, session.info);
    expect(frontier[0]!.body.kind).toBe('compaction');
    expect(
      frontier.filter(({ seq, body }) => seq > planned && body.kind === 'message').length,
    ).toBeGreaterThan(0);
  });

  it('stops after two tries that gain nothing, names the cause, and goes on when a person says so', async () => {
    const { session, measure, say } = await start();
    await say(6);
    const stubborn = async () => ({ ...(await measure()), tokens: 50_000 });
    const summariser = scripted(() => ({}));
    const auto = createAutoCompaction(session, { settings, measure: stubborn, summariser });
    const outcomes = [];
    for (let n = 0; n < 5; n++) outcomes.push((await auto.consider()).did);
    expect(outcomes.filter((did) => did === 'stop')).toHaveLength(1);
    expect(outcomes.at(-1)).toBe('nothing');
    expect(summariser.requests.length).toBeLessThanOrEqual(2);
    expect(auto.stopped).toBeTruthy();
    auto.resume();
    expect(auto.stopped).toBeUndefined();
  });

  it('waits, however often it is asked, while everything is to be kept', async () => {
    const { session, measure, say } = await start();
    await say(2);
    const large = async () => ({ ...(await measure()), tokens: 50_000 });
    const auto = createAutoCompaction(session, {
      settings: { ...settings, keep: { messages: 8 } },
      measure: large,
    });
    for (let n = 0; n < 5; n++) expect(await auto.consider()).toEqual({ did: 'nothing' });
    expect(auto.stopped).toBeUndefined();
    await say(12);
    expect((await auto.consider()).did).toBe('compact');
  });

  it('asks no model once the hour is spent', async () => {
    const { session, measure, say } = await start();
    const usage = { inputTokens: 900, outputTokens: 200 };
    const summariser = scripted(() => ({ usage }));
    const auto = createAutoCompaction(session, {
      settings,
      measure,
      summariser,
      spendPerHour: 1_000,
      now: () => 0,
    });
    const by: string[] = [];
    for (let n = 0; n < 12; n++) {
      await say(2);
      const outcome = await auto.consider();
      if (outcome.did === 'compact') by.push(outcome.result.by.kind);
    }
    expect(by[0]).toBe('model');
    expect(new Set(by.slice(1))).toEqual(new Set(['digest']));
  });

  it('leaves the context alone when it is cancelled', async () => {
    const { session, measure, say } = await start();
    const auto = createAutoCompaction(session, {
      settings,
      measure,
      summariser: scripted(() => new Promise<never>(() => {})),
    });
    while ((await auto.consider()).did === 'nothing') await say(1);
    expect(auto.preparing).toBe(true);
    auto.cancel();
    expect(
      (await readConversation(session.store, session.info)).frontier.every(
        ({ body }) => body.kind === 'message',
      ),
    ).toBe(true);
  });

  it('a question that comes while a summary is written does not count against the summary', async () => {
    const { session, measure, say } = await start();
    await say(12);
    const summariser = scripted(async () => {
      await say(12);
      return {};
    });
    const auto = createAutoCompaction(session, { settings, measure, summariser });
    for (let n = 0; n < 4; n++) expect(await auto.consider()).toMatchObject({ did: 'compact' });
    expect(auto.stopped).toBeUndefined();
  });
});
