import { describe, expect, it } from 'vitest';
import { checkpointHistory } from '../../src/compaction/index.ts';
import { emptySummary, settingEntries } from '../../src/record/index.ts';
import { excludeEntries, expandCompactions, openSession, pinEntries } from '../../src/session/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { countText } from '../../src/tokens/index.ts';
import { openWork, REQUEST_TOKENS, type Work, type WorkEvent } from '../../src/work/index.ts';
import { scripted } from '../compaction/scripted-summariser.ts';
import { openWorkshop } from './workshop.ts';

const BUDGET = 3000;

async function talk(work: Work, id: string, turns: number, from = 1): Promise<void> {
  for (let n = from; n < from + turns; n++) {
    await work.addMessage(id, 'user', `Question ${n}: ${'please look at this part of the code. '.repeat(5)}`);
    await work.addMessage(
      id,
      'assistant',
      `Decision: part ${n} uses plan ${n}.\n${'I looked at it and it is fine. '.repeat(10)}`,
    );
  }
}

describe('a session that grows over its budget', () => {
  it('has 100,000 tokens by default', async () => {
    await using shop = await openWorkshop();
    expect([shop.work.budget, REQUEST_TOKENS]).toEqual([100_000, 100_000]);
  });

  it('is compacted automatically, and every request is under the budget', async () => {
    await using shop = await openWorkshop({ budget: BUDGET });
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    const sizes: number[] = [];
    for (let n = 1; n <= 60; n++) {
      await talk(work, id, 1, n);
      sizes.push((await work.buildRequest(id, 'Go on.')).totalTokens);
      expect(await work.estimateRequestSize(id)).toBeLessThanOrEqual(BUDGET);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(BUDGET);
    expect(Math.max(...sizes)).toBeGreaterThan(BUDGET / 2);
    const { version, tokens, summary } = await work.checkpoint(id);
    expect(version).toBeGreaterThan(1);
    expect(summary.decisions).toContain('part 1 uses plan 1.');
    expect(tokens.checkpoint).toBe(countText(JSON.stringify(summary)));
    expect(tokens.lastCompactionInput).toBeGreaterThan(1000);
    const compactions = (await shop.store.read(id, { only: 'notes' })).flatMap(({ body }) =>
      body.kind === 'compaction' ? [body] : [],
    );
    expect(tokens.totalSaved).toBe(
      compactions.reduce((sum, one) => sum + one.tokensBefore - one.tokensAfter, 0),
    );
    expect(version).toBe((await checkpointHistory(shop.store, (await shop.store.session(id))!)).length);
  });

  it('has a draft that waits where a person is asked first, and its requests fit all the same', async () => {
    const events: WorkEvent[] = [];
    await using shop = await openWorkshop({ budget: BUDGET, onEvent: (event) => events.push(event) });
    const { work, store } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    await store.append(id, settingEntries({ askFirst: true }, { by: 'user' }));
    for (let n = 1; n <= 30; n++) {
      await talk(work, id, 1, n);
      expect((await work.buildRequest(id, 'Go on.')).totalTokens).toBeLessThanOrEqual(BUDGET);
    }
    expect(events.filter(({ type }) => type === 'session-compact')).toEqual([]);
    expect(events.filter(({ type }) => type === 'draft-wait')).toEqual([
      { type: 'draft-wait', session: id, draft: expect.any(String) },
    ]);
    expect((await store.session(id))!.state.roots).toEqual([]);
  });

  it('keeps its last whole turn word for word when it is compacted while a question waits', async () => {
    await using shop = await openWorkshop({ budget: BUDGET });
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    for (let n = 1; n <= 30; n++) {
      await talk(work, id, 1, n);
      await work.addMessage(id, 'user', `And part ${n}?`);
      const { systemPrompt } = await work.buildRequest(id, `And part ${n}?`);
      expect(systemPrompt).toContain(`**Assistant**: Decision: part ${n} uses plan ${n}.\nI looked at it`);
    }
    expect((await work.checkpoint(id)).version).toBeGreaterThan(1);
  });

  it('says the same in this process, which has read it before, as in one that has not', async () => {
    await using shop = await openWorkshop({ budget: BUDGET });
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    for (let n = 1; n <= 24; n++) {
      await talk(shop.work, id, 1, n);
      await using fresh = await openWork(shop.store, { folder: shop.repository.path, budget: BUDGET });
      expect(await fresh.buildRequest(id, 'Go on.')).toEqual(await shop.work.buildRequest(id, 'Go on.'));
      expect(await fresh.checkpoint(id)).toEqual(await shop.work.checkpoint(id));
    }
  });

  it('loses nothing of the log, and follows expanding, pinning and excluding', async () => {
    await using shop = await openWorkshop({ budget: BUDGET });
    const { work, store } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    await talk(work, id, 10);
    const before = await work.buildRequest(id, 'Go on.');
    await work.compact(id);
    expect((await work.buildRequest(id, 'Go on.')).systemPrompt).not.toContain('**User**: Question 1:');
    expect((await store.read(id, { only: 'messages' })).length).toBe(20);
    {
      await using session = await openSession(store, id);
      await expandCompactions(session, { entry: session.info.state.roots[0]!.id });
    }
    const { systemPrompt } = await work.buildRequest(id, 'Go on.');
    expect(systemPrompt).toContain(
      before.systemPrompt.slice(before.systemPrompt.indexOf('# Recent Conversation')),
    );
    const [first, second] = await store.read(id, { only: 'messages', limit: 2 });
    {
      await using session = await openSession(store, id);
      await excludeEntries(session, { entry: first!.id });
      await pinEntries(session, { entry: second!.id });
    }
    const after = (await work.buildRequest(id, 'Go on.')).systemPrompt;
    expect([after.includes('**User**: Question 1:'), after.includes('part 1 uses plan 1.')]).toEqual([
      false,
      true,
    ]);
  });
});

describe('while a compaction is under way', () => {
  it('messages during it are kept and come after it, and no other is started', async () => {
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const summariser = scripted(async () => {
      started.resolve();
      await gate.promise;
      return {
        summary: {
          ...emptySummary('Parts were looked at.'),
          completed: [{ text: 'looked at parts', from: [] }],
        },
      };
    });
    await using shop = await openWorkshop({ budget: BUDGET, summariser });
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    await talk(work, id, 4);
    const compacting = work.compact(id);
    await started.promise;
    await talk(work, id, 3, 100);
    await talk(work, id, 20, 200);
    const during = await work.buildRequest(id, 'Go on.');
    expect(during.totalTokens).toBeLessThanOrEqual(BUDGET);
    expect(summariser.requests).toHaveLength(1);
    gate.resolve();
    const { messagesCompacted } = await compacting;
    expect(messagesCompacted).toBe(6);
    const said = (await shop.store.read(id, { only: 'messages' })).length;
    expect(said).toBe(54);
    const { systemPrompt } = await work.buildRequest(id, 'Go on.');
    expect(systemPrompt).toContain('looked at parts');
    expect(systemPrompt).toContain('Question 219:');
  });

  it('another process may compact the same session: one of them wins, and nothing is lost', async () => {
    await using shop = await openWorkshop({ budget: BUDGET });
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    await talk(work, id, 8);
    await using other = await openWork(shop.store, { folder: shop.repository.path, budget: BUDGET });
    const outcomes = await Promise.allSettled([work.compact(id), other.compact(id)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(['compaction-stale', 'nothing-to-compact']).toContain(outcome.reason.code);
    expect((await shop.store.verify()).problems).toEqual([]);
    expect((await work.checkpoint(id)).summary.decisions).toContain('part 3 uses plan 3.');
  });
});

it('what keeps it from compacting is not tried over and over, and is tried again once more was said', async () => {
  const events: WorkEvent[] = [];
  await using shop = await openWorkshop({ budget: BUDGET, onEvent: (event) => events.push(event) });
  const { work, store } = shop;
  const id = await work.createSession('dev-task', 'auth', 'login');
  {
    await using holder = await openSession(store, id, { owner: 'chat' });
    for (let n = 0; n < 40; n++)
      await holder.append([user(`Question ${n}`), assistant('Words and words. '.repeat(30))]);
    for (let n = 0; n < 5; n++)
      expect((await work.buildRequest(id, 'Go on.')).totalTokens).toBeLessThanOrEqual(BUDGET);
    expect(events.filter(({ type }) => type === 'compaction-stop')).toHaveLength(1);
  }
  await talk(work, id, 5);
  expect((await work.checkpoint(id)).version).toBe(0);
  await talk(work, id, 8, 6);
  expect((await work.checkpoint(id)).version).toBeGreaterThan(0);
});

describe('a model that writes the summaries', () => {
  it.each([
    { why: 'fails', answer: () => Promise.reject(new Error('no')) },
    { why: 'writes nothing', answer: () => ({ summary: emptySummary('') }) },
    {
      why: 'writes more than it was given',
      answer: () => ({ summary: emptySummary('word '.repeat(20_000)) }),
    },
  ])('and $why loses no decision, and is not asked again with every message', async ({ answer }) => {
    const summariser = scripted(answer);
    const events: WorkEvent[] = [];
    await using shop = await openWorkshop({
      budget: BUDGET,
      summariser,
      onEvent: (event) => events.push(event),
    });
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    await talk(work, id, 40);
    expect((await work.buildRequest(id, 'Go on.')).totalTokens).toBeLessThanOrEqual(BUDGET);
    expect((await work.checkpoint(id)).summary.decisions).toContain('part 2 uses plan 2.');
    const compactions = events.filter(({ type }) => type === 'session-compact').length;
    expect(compactions).toBeGreaterThan(0);
    // Twice for each compaction and each merge of older ones, at most; there were 80 messages.
    expect(summariser.requests.length).toBeLessThanOrEqual(compactions * 4 + 2);
    expect(summariser.requests.length).toBeLessThan(40);
  });

  it('keeps the lines that were stated beside its own', async () => {
    const summariser = scripted(() => ({
      summary: {
        ...emptySummary('Parts were looked at.'),
        decisions: [{ text: 'the model says so', from: [] }],
      },
    }));
    await using shop = await openWorkshop({ summariser });
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    await talk(work, id, 6);
    await work.compact(id);
    expect((await work.checkpoint(id)).summary.decisions).toEqual([
      'the model says so',
      ...[1, 2, 3, 4, 5].map((n) => `part ${n} uses plan ${n}.`),
    ]);
  });
});

it('a context that is too large for its share does not make it compact over and over', async () => {
  await using shop = await openWorkshop({ budget: BUDGET });
  const { work, repository } = shop;
  repository.write('CLAUDE.md', 'An instruction that goes on and on. '.repeat(5000));
  const id = await work.createSession('dev-task', 'auth', 'login');
  await talk(work, id, 6);
  const { totalTokens, systemPrompt } = await work.buildRequest(id, 'Go on.');
  expect(totalTokens).toBeLessThanOrEqual(BUDGET);
  expect(systemPrompt).toContain('left out: the context is over its share');
  expect((await work.checkpoint(id)).version).toBe(0);
});

it('a small session has nothing to compact', async () => {
  await using shop = await openWorkshop();
  const id = await shop.work.createSession('pm-feature', 'auth');
  await shop.work.addMessage(id, 'user', 'Hello.');
  await expect(shop.work.compact(id)).rejects.toMatchObject({ code: 'nothing-to-compact' });
  expect(await shop.work.checkpoint(id)).toMatchObject({
    sessionId: id,
    version: 0,
    summary: { completedItems: [], pendingItems: [], decisions: [], blockers: [] },
    tokens: { lastCompactionInput: 0, totalSaved: 0 },
  });
});

it.each([0.7, 1.4, 3])(
  'every request is within the budget as the model counts, %d times the estimate',
  async (times) => {
    const countTokens = (text: string) => Math.ceil(countText(text) * times);
    const events: WorkEvent[] = [];
    await using shop = await openWorkshop({
      budget: 6000,
      countTokens,
      onEvent: (event) => events.push(event),
    });
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    for (let n = 1; n <= 60; n++) {
      await talk(work, id, 1, n);
      const { systemPrompt, userPrompt, totalTokens } = await work.buildRequest(id, 'Go on.');
      expect(totalTokens).toBe(countTokens(systemPrompt) + countTokens(userPrompt));
      expect(totalTokens).toBeLessThanOrEqual(6000);
    }
    expect(events.filter(({ type }) => type === 'session-compact').length).toBeGreaterThan(0);
    expect(events.filter(({ type }) => type === 'compaction-stop')).toEqual([]);
  },
);
