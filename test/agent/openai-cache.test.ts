import { expect, it } from 'vitest';
import { openAgent } from '../../src/agent/index.ts';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { cacheLifetimeMs } from '../../src/tokens/index.ts';
import type { CacheUse } from '../support/anthropic-cache.ts';
import { createOpenAiCache } from '../support/openai-cache.ts';
import { callTool, reply, type Step } from '../support/wire-script.ts';
import { startWireServer, type WireRequest } from '../support/wire-server.ts';

const TOWNS = ['Leeds', 'York', 'Hull', 'Bath', 'Derby', 'Truro', 'Ely', 'Wells', 'Ripon', 'Durham'];
const filler = (n: number, times = 200) =>
  `Nothing in remark ${n} matters to the readers of it. `.repeat(times);
const question = (n: number) =>
  n < TOWNS.length
    ? `The printer in ${TOWNS[n]} charges ${4711 + n} pounds. ${filler(n, 20)}`
    : `What does the printer in ${TOWNS[n % TOWNS.length]} charge?`;
const look = {
  description: 'Looks at a page.',
  inputSchema: { type: 'object' },
  execute: () => `Page: ${filler(3, 12)}`,
};

/** Calls of tools before each answer. */
function agentOf(rounds: number) {
  return ({ body }: WireRequest, n: number): Step => {
    const input = body.input as { role?: string; type?: string }[];
    const since = input.slice(input.findLastIndex(({ role }) => role === 'user'));
    const made = since.filter(({ type }) => type === 'function_call_output').length;
    return made < rounds ? callTool('look', {}, { id: `call_${n}` }) : reply(`Answer ${n}. ${filler(n)}`);
  };
}

async function talk({ rounds, model }: { rounds: number; model?: string }) {
  await using server = await startWireServer('openai-responses', agentOf(rounds));
  await using session = await createSession(createMemoryStore(), {
    settings: { compaction: 'off', systemPrompt: `Be exact. ${filler(1, 100)}` },
  });
  await using agent = await openAgent(session, {
    ...(model !== undefined && { model }),
    openModel: { env: server.env },
    tools: { look },
  });
  for (let n = 0; n < 10; n++) await agent.send(question(n));
  await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 8 } } });
  const compactedAt = server.requests.length;
  for (let n = 10; n < 21; n++) await agent.send(question(n));
  return { requests: [...server.requests], compactedAt };
}

const shareOf = (uses: readonly CacheUse[]) => {
  const sum = (pick: (use: CacheUse) => number) => uses.reduce((all, use) => all + pick(use), 0);
  return sum(({ read }) => read) / sum(({ input }) => input);
};

it.each([
  // A mark stands before the answer that it follows, so answers are read anew once: here they are all that grows.
  { rounds: 0, least: 0.75 },
  { rounds: 4, least: 0.8 },
])(
  'turns of $rounds calls read the cache of OpenAI’s marked models before and after a compaction',
  async ({ rounds, least }) => {
    const { requests, compactedAt } = await talk({ rounds });
    const cache = createOpenAiCache();
    const uses = requests.map(({ body }) => cache.take(body));
    expect(
      requests.slice(compactedAt).filter(({ body }) => JSON.stringify(body).includes('[Found in')).length,
    ).toBeGreaterThan(5);
    expect(shareOf(uses.slice(0, compactedAt))).toBeGreaterThanOrEqual(0.75);
    expect(shareOf(uses.slice(compactedAt + 1))).toBeGreaterThanOrEqual(least);
  },
);

it('models before them are sent no marks', async () => {
  const { requests } = await talk({ rounds: 0, model: 'openai:gpt-5.5' });
  expect(JSON.stringify(requests.map(({ body }) => body))).not.toContain('prompt_cache_breakpoint');
});

it.each([
  { provider: 'openai', model: 'gpt-6.1-sol', minutes: 30 },
  { provider: 'openai', model: 'gpt-5.6-luna', minutes: 30 },
  { provider: 'openai', model: 'gpt-5.5', minutes: 10 },
  { provider: 'openai', model: 'gpt-5', minutes: 10 },
  { provider: 'openai', model: 'o3', minutes: 10 },
  { provider: 'compatible', model: 'gpt-6-sol', minutes: Number.POSITIVE_INFINITY },
])('what $provider:$model has read is kept for $minutes minutes', ({ minutes, ...model }) => {
  expect(cacheLifetimeMs(model)).toBe(minutes * 60_000);
});
