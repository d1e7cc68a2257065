import { describe, expect, it } from 'vitest';
import { openAgent, readCalls } from '../../src/agent/index.ts';
import { renderPreview } from '../../src/faces/cli/render/render-compaction.ts';
import { compactContext, previewContext } from '../../src/operations/compaction/index.ts';
import { meterContext } from '../../src/operations/context/meter-context.ts';
import { createAppOperation, perform } from '../../src/operations/index.ts';
import { createSession, getSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { countText } from '../../src/tokens/index.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';

const SENTENCE = 'the worker takes a lease of three minutes and writes what it did to the log. ';
const turns = Array.from({ length: 40 }, (_, n) => [user(`Part ${n}?`), assistant(SENTENCE.repeat(60))]);

async function previewWith(model: string) {
  const store = createMemoryStore();
  const session = await createSession(store, { id: 's', settings: { model } });
  await session.append(turns.flat());
  await session.close();
  const app = createAppOperation(store, { env: {} });
  return { app, preview: await perform(previewContext, { chatSessionId: 's' }, app) };
}

describe('what a preview says of size', () => {
  it('is what the meter shows before and after, and what the result says', async () => {
    const { app, preview } = await previewWith('offline');
    const meter = async () => (await perform(meterContext, { sessionId: 's' }, app as never)).tokens;
    const before = await meter();
    expect(preview.context!.before).toBe(before);
    const done = await perform(compactContext, { chatSessionId: 's', writer: 'digest' }, app);
    expect(done.context).toEqual({ before, after: await meter() });
    expect(done.context!.after).toBeLessThanOrEqual(preview.context!.after);
    await app[Symbol.asyncDispose]();
  });
});

describe('what a preview says of money', () => {
  it('is the summary by each writer, a turn before and after, and when it has paid for itself', async () => {
    const { app, preview } = await previewWith('anthropic:claude-sonnet-5');
    const { turn, writers, cold } = preview.cost!;
    expect(cold).toBe(true);
    expect(turn.after).toBeLessThan(turn.before);
    expect(writers.map(({ by }) => by)).toEqual(['digest', 'model', 'cheaper', 'provider']);
    const [digest, model, cheaper] = writers;
    expect(digest!.summary).toBe(0);
    expect(cheaper!.summary).toBeLessThan(model!.summary / 4);
    for (const { cost, summary, pays } of writers) {
      expect(cost).toBeGreaterThanOrEqual(summary);
      expect(pays).toBeGreaterThanOrEqual(0);
    }
    const said = renderPreview(preview).join('\n');
    expect(said).toMatch(
      /a turn {6}\$[\d.]+ → \$[\d.]+ \(anthropic:claude-sonnet-5, its cache has expired\)/,
    );
    expect(said).toMatch(/costs {7}\$[\d.]+ by the digest: pays/);
    await app[Symbol.asyncDispose]();
  });

  it.each(['compatible:nobody-knows', 'ollama:small', 'offline'])(
    'says that the price of %s is not known',
    async (model) => {
      const { app, preview } = await previewWith(model);
      expect(preview.cost).toBeNull();
      expect(renderPreview(preview).join('\n')).toContain('the price of the model is not known');
      await app[Symbol.asyncDispose]();
    },
  );
});

it('the cost of a compaction is the same in its result and in the ledger, near the forecast', async () => {
  const answer = `Answer. ${SENTENCE.repeat(60)}`;
  const usageOf = (body: unknown, cached: boolean) => {
    const input = countText(JSON.stringify(body));
    return { input, output: 300, ...(cached && { cacheRead: Math.floor(input * 0.9) }) };
  };
  await using server = await startWireServer('anthropic', ({ body }, n) => {
    const isSummary = JSON.stringify(body).includes('asks for a record of a part');
    const text = isSummary ? '**Decisions Made:**\n- The worker takes a lease of three minutes' : answer;
    return reply(text, { usage: usageOf(body, n > 0) });
  });
  await using store = createMemoryStore();
  const session = await createSession(store, { id: 's', settings: { model: server.reference } });
  await using agent = await openAgent(session, { openModel: { env: server.env } });
  for (let n = 0; n < 30; n++) await agent.send(`Part ${n}?`);
  await agent[Symbol.asyncDispose]();
  await session.close();
  await using app = createAppOperation(store, { env: server.env });
  const preview = await perform(previewContext, { chatSessionId: 's' }, app);
  const done = await perform(compactContext, { chatSessionId: 's' }, app);
  const calls = [];
  for await (const call of readCalls(store, await getSession(store, 's')))
    if (call.for === 'compaction') calls.push(call);
  expect(done.cost).toBeGreaterThan(0);
  expect(calls.map(({ cost }) => cost)).toEqual([done.cost]);
  expect(calls[0]).toMatchObject({ asked: { as: 'chat' } });
  const foretold = preview.cost!.writers.find(({ by }) => by === 'model')!.summary;
  expect(done.cost! / foretold).toBeGreaterThan(0.4);
  expect(done.cost! / foretold).toBeLessThan(1.5);
});
