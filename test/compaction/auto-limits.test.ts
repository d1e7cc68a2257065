import { describe, expect, it } from 'vitest';
import { createAutoCompaction, type Summarised } from '../../src/compaction/index.ts';
import { emptySummary } from '../../src/record/index.ts';
import { excludeEntries, pinEntries, type Session } from '../../src/session/index.ts';
import { settings, start } from './growing-session.ts';
import { scripted } from './scripted-summariser.ts';

const notes = async (session: Session) =>
  (await session.read({ only: 'notes' })).map(({ body }) => (body.kind === 'document' ? body.id : body.kind));

const LARGE: Partial<Summarised> = {
  summary: { ...emptySummary('x'), facts: [{ text: 'word '.repeat(9_000), from: [] }] },
  usage: { inputTokens: 1_000, outputTokens: 9_000 },
};

describe('a summariser that never shrinks anything', () => {
  it('is called twice in sixty turns, and every summary says why not again', async () => {
    const { session, measure, say } = await start();
    const summariser = scripted(() => LARGE);
    const auto = createAutoCompaction(session, { settings, measure, summariser });
    const told: string[][] = [];
    for (let turn = 0; turn < 60; turn++) {
      await say(1);
      const outcome = await auto.consider();
      if (outcome.did === 'compact') told.push(outcome.result.failures.map(({ reason }) => reason));
    }
    expect(summariser.requests).toHaveLength(2);
    expect(told.length).toBeGreaterThan(5);
    expect(told[1]).toEqual([expect.stringMatching(/^not asked again: .*80 %/)]);
    expect(session.info.usage).toEqual({ inputTokens: 2_000, outputTokens: 18_000 });
  });

  it.each([
    ['pins something', (session: Session) => pinEntries(session, { from: 1, to: 1 })],
    ['leaves something out', (session: Session) => excludeEntries(session, { from: 2, to: 2 })],
  ])('is tried again once a person %s', async (_, act) => {
    const { session, measure, say } = await start();
    const summariser = scripted(() => LARGE);
    const auto = createAutoCompaction(session, { settings, measure, summariser });
    const go = async () => {
      for (let turn = 0; turn < 15; turn++) {
        await say(1);
        await auto.consider();
      }
    };
    await go();
    await act(session);
    await go();
    expect(summariser.requests).toHaveLength(4);
  });

  it('one that only fails is asked again after a while', async () => {
    const { session, measure, say } = await start();
    const summariser = scripted(() => Promise.reject(new Error('500 from the provider')));
    let now = 0;
    const auto = createAutoCompaction(session, { settings, measure, summariser, now: () => now });
    for (let turn = 0; turn < 30; turn++) {
      await say(1);
      await auto.consider();
      if (turn === 15) now += 900_000;
    }
    expect(summariser.requests).toHaveLength(4);
  });
});

describe('automatic compaction that has stopped', () => {
  async function stopped() {
    const { session, measure, say } = await start();
    await say(6);
    let full = true;
    const load = async () => ({ ...(await measure()), ...(full && { tokens: 50_000 }) });
    const auto = createAutoCompaction(session, { settings, measure: load });
    for (let n = 0; n < 5; n++) await auto.consider();
    expect(auto.stopped).toBeTruthy();
    full = false;
    return { session, auto, say };
  }

  it('goes on as soon as more was said that can be summarised', async () => {
    const { auto, say } = await stopped();
    await say(1);
    expect(await auto.consider()).toEqual({ did: 'nothing' });
    await say(12);
    expect(await auto.consider()).toMatchObject({ did: 'compact' });
    expect(auto.stopped).toBeUndefined();
  });

  it('by failures tries again only for as much as a compaction has to free', async () => {
    const { session, measure, say } = await start();
    let tries = 0;
    const full: Session = {
      ...session,
      get info() {
        return session.info;
      },
      append() {
        tries++;
        return Promise.reject(new Error('the disk is full'));
      },
    };
    const auto = createAutoCompaction(full, { settings, measure });
    await say(12);
    const turns = 20;
    for (let turn = 0; turn < turns; turn++) {
      await say(1);
      await auto.consider();
    }
    expect(tries).toBeGreaterThan(2);
    expect(tries).toBeLessThan(turns);
  });

  it('goes on once the session is changed, through this handle or another', async () => {
    const { session, auto, say } = await stopped();
    const [, second] = await session.read({ only: 'messages' });
    await session.store.append('s', [
      { body: { kind: 'mark', mark: 'excluded', target: { entry: second!.id } } },
    ]);
    await say(12);
    expect(await auto.consider()).toMatchObject({ did: 'compact' });
    expect(auto.stopped).toBeUndefined();
  });
});

describe('at the hard mark', () => {
  async function waiting(signals: { signal?: AbortSignal; own?: AbortSignal } = {}) {
    const { session, measure, say } = await start();
    await say(12);
    const begun = Promise.withResolvers<AbortSignal>();
    const written = Promise.withResolvers<void>();
    const summariser = scripted(async (_, signal) => {
      begun.resolve(signal);
      await written.promise;
      return { usage: { inputTokens: 5, outputTokens: 1 } };
    });
    const { signal, own } = signals;
    const auto = createAutoCompaction(session, {
      settings,
      measure,
      summariser,
      ...(own && { signal: own }),
    });
    const outcome = auto.consider(signal ? { signal } : {});
    return { session, auto, outcome, summariser, written, asked: await begun.promise };
  }

  it('cancel gives up the summary in progress, and nothing changes', async () => {
    const { session, auto, outcome, asked } = await waiting();
    expect(auto.preparing).toBe(true);
    await auto.cancel();
    expect(asked.aborted).toBe(true);
    expect(await outcome).toEqual({ did: 'nothing' });
    expect(auto.preparing).toBe(false);
    expect(await notes(session)).toEqual([]);
  });

  it("the caller's signal does the same", async () => {
    const stop = new AbortController();
    const { session, outcome, asked } = await waiting({ own: stop.signal });
    stop.abort();
    expect(asked.aborted).toBe(true);
    expect(await outcome).toEqual({ did: 'nothing' });
    expect(await notes(session)).toEqual([]);
  });

  it('a caller that stops waiting changes nothing, and the summary in progress is used the next time', async () => {
    const stop = new AbortController();
    const { session, auto, outcome, asked, summariser, written } = await waiting({ signal: stop.signal });
    stop.abort();
    expect(await outcome).toEqual({ did: 'nothing' });
    expect(asked.aborted).toBe(false);
    written.resolve();
    await new Promise(setImmediate);
    expect(await notes(session)).toEqual([]);
    expect(await auto.consider()).toMatchObject({ did: 'compact', result: { by: { kind: 'model' } } });
    expect(summariser.requests).toHaveLength(1);
  });

  it('a prepared summary that was given up was paid for, and is in the log', async () => {
    const { session, auto, outcome, written } = await waiting({ signal: AbortSignal.timeout(5) });
    await outcome;
    written.resolve();
    await new Promise(setImmediate);
    await auto.cancel();
    expect(await notes(session)).toEqual(['unused-summary']);
  });

  it('plans anew when the prepared range has new marks', async () => {
    const { session, measure, say } = await start();
    const summariser = scripted(() => ({}));
    const auto = createAutoCompaction(session, { settings, measure, summariser });
    while ((await auto.consider()).did !== 'prepare') await say(1);
    await excludeEntries(session, { from: 1, to: 1 });
    while ((await measure()).tokens <= 2_000) await say(1);
    expect(await auto.consider()).toMatchObject({ did: 'compact' });
    expect(summariser.requests).toHaveLength(2);
    expect(summariser.requests[1]!.entries.map(({ seq }) => seq)).not.toContain(1);
  });
});

describe('what may be spent in an hour', () => {
  it('counts merges, and is looked at before each of them', async () => {
    const { session, measure, say } = await start();
    let spent = 0;
    const summariser = scripted(() => {
      spent += 1_000;
      return { usage: { inputTokens: 900, outputTokens: 100 } };
    });
    const auto = createAutoCompaction(session, {
      settings,
      measure,
      summariser,
      spendPerHour: 4_000,
      now: () => 0,
    });
    for (let turn = 0; turn < 60; turn++) {
      await say(1);
      await auto.consider();
    }
    expect(spent).toBe(4_000);
    expect(session.info.usage.inputTokens + session.info.usage.outputTokens).toBe(4_000);
    expect(session.info.state.roots.some(({ level }) => level > 1)).toBe(true);
  });

  it('counts calls paid before it began, in another process for instance', async () => {
    const { session, measure, say } = await start();
    let calls = 0;
    const summariser = scripted(() => {
      calls++;
      return { usage: { inputTokens: 900, outputTokens: 100 } };
    });
    for (let process = 0; process < 3; process++) {
      const auto = createAutoCompaction(session, { settings, measure, summariser, spendPerHour: 1_000 });
      await say(12);
      expect((await auto.consider()).did).toBe('compact');
    }
    expect(calls).toBe(1);
  });

  it('counts the cost of a failed summary', async () => {
    const { session, measure, say } = await start();
    const calls: number[] = [];
    const summariser = {
      name: 'failing',
      async summarise(_: unknown, { answered }: { answered(usage: object): void }) {
        calls.push(1);
        answered({ inputTokens: 400, outputTokens: 100 });
        throw new Error('cut');
      },
    } as Parameters<typeof createAutoCompaction>[1]['summariser'] & object;
    let now = 0;
    const auto = createAutoCompaction(session, {
      settings,
      measure,
      summariser,
      spendPerHour: 1_000,
      now: () => now,
    });
    for (let turn = 0; turn < 40; turn++) {
      await say(1);
      await auto.consider();
      now += 60_000;
    }
    expect(calls).toHaveLength(2);
    expect(session.info.usage).toEqual({ inputTokens: 800, outputTokens: 200 });
  });
});

it('a summary that is being put in place when it is cancelled is paid for once', async () => {
  const { session, measure, say } = await start();
  await say(12);
  const usage = { inputTokens: 100, outputTokens: 10 };
  const summariser = scripted(() => ({ usage }));
  const append = Promise.withResolvers<void>();
  const writing = Promise.withResolvers<void>();
  const slow: Session = {
    ...session,
    get info() {
      return session.info;
    },
    async append(entries, options) {
      append.resolve();
      await writing.promise;
      return session.append(entries, options);
    },
  };
  const auto = createAutoCompaction(slow, { settings, measure, summariser });
  const considered = auto.consider();
  await append.promise;
  const cancelled = auto.cancel();
  writing.resolve();
  await Promise.all([considered, cancelled]);
  expect(await notes(session)).toEqual(['compaction']);
  expect(session.info.usage).toEqual(usage);
});
