import { expect, it } from 'vitest';
import { openAgent } from '../../src/agent/index.ts';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { TRANSPORTS } from '../faces/rpc/transports.ts';
import { type CacheUse, createAnthropicCache } from '../support/anthropic-cache.ts';
import { callTool, reply, type Step } from '../support/wire-script.ts';
import { startWireServer, type WireRequest } from '../support/wire-server.ts';

const TOWNS = ['Leeds', 'York', 'Hull', 'Bath', 'Derby', 'Truro', 'Ely', 'Wells', 'Ripon', 'Durham'];
const BEFORE = TOWNS.length;
const AFTER = 11;

const filler = (n: number, times = 200) =>
  `Nothing in remark ${n} matters to the readers of it. `.repeat(times);
const question = (n: number) =>
  n < BEFORE
    ? `The printer in ${TOWNS[n]} charges ${4711 + n} pounds. ${filler(n, 20)}`
    : `What does the printer in ${TOWNS[n % BEFORE]} charge?`;

/** What Anthropic's cache makes of the requests, in order. */
function replay(requests: readonly WireRequest[]): CacheUse[] {
  const cache = createAnthropicCache();
  return requests.map(({ body }) => cache.take(body));
}

function cachedShare(uses: readonly CacheUse[]): number {
  const sum = (pick: (use: CacheUse) => number) => uses.reduce((all, use) => all + pick(use), 0);
  return sum(({ read }) => read) / sum(({ input }) => input);
}

const recalls = ({ body }: WireRequest) => JSON.stringify(body).includes('[Found in earlier entries');
const compaction = { ...PRESETS.window, keep: { messages: 8 } };

/** Answers with calls first, so many in one answer, as often as it says. */
function agentOf({ rounds, calls }: { rounds: number; calls: number }) {
  return ({ body }: WireRequest): Step => {
    const last = body.messages.at(-1).content;
    const results = last.filter(({ type }: { type: string }) => type === 'tool_result');
    const since = body.messages.findLastIndex(
      ({ role, content }: { role: string; content: { type: string }[] }) =>
        role === 'user' && content.some(({ type }) => type === 'text'),
    );
    const made = (body.messages.length - 1 - since) / 2;
    if (made >= rounds) return reply(`Noted after ${results.length}. ${filler(7)}`);
    const step = callTool('look', { at: 0 });
    const many = Array.from({ length: calls }, (_, n) => ({
      id: `call_${body.messages.length}_${n}`,
      name: 'look',
      input: { at: n },
    }));
    return { ...step, turn: { ...step.turn, calls: many } };
  };
}

const look = {
  description: 'Looks at a page.',
  inputSchema: { type: 'object' },
  execute: ({ at }: { at?: number }) => `Page ${at}: ${filler(at ?? 0, 6)}`,
};

it.each([
  { name: 'with a system prompt', systemPrompt: 'Be exact.', agent: undefined },
  { name: 'of an agent with 25 calls at once', systemPrompt: 'Be exact.', agent: { rounds: 2, calls: 25 } },
  {
    name: 'of an agent that calls tools four times, without a system prompt',
    systemPrompt: undefined,
    agent: { rounds: 4, calls: 6 },
  },
])(
  'the turns after a compaction read the cache of Anthropic, $name',
  async ({ systemPrompt, agent: acts }) => {
    await using server = await startWireServer(
      'anthropic',
      acts ? agentOf(acts) : (_, n) => reply(`Answer ${n}. ${filler(n)}`),
    );
    await using store = createMemoryStore();
    const settings = { compaction: 'off' as const, ...(systemPrompt && { systemPrompt }) };
    await using session = await createSession(store, { settings });
    await using agent = await openAgent(session, {
      openModel: { env: server.env },
      ...(acts && { tools: { look } }),
    });
    for (let n = 0; n < BEFORE; n++) await agent.send(question(n));
    await compactSession(session, { settings: compaction });
    const compactedAt = server.requests.length;
    for (let n = BEFORE; n < BEFORE + AFTER; n++) await agent.send(question(n));

    const uses = replay(server.requests);
    const after = uses.slice(compactedAt + 1);
    expect(server.requests.slice(compactedAt).some(recalls)).toBe(true);
    expect(cachedShare(after)).toBeGreaterThanOrEqual(0.8);
    expect(cachedShare(uses.slice(0, compactedAt))).toBeGreaterThanOrEqual(0.75);
  },
);

it('the turns of a session over RPC read the cache of Anthropic after a compaction', async () => {
  await using server = await startWireServer('anthropic', (_, n) => reply(`Answer ${n}. ${filler(n)}`));
  await using line = await TRANSPORTS.http({ env: server.env });
  const { call } = line.client;
  const { id: sessionId } = await call('chat/session/create', { compaction: 'off' });
  const send = (n: number) =>
    call('ai/session/send', { storageSessionId: sessionId, content: question(n), wait: true });
  for (let n = 0; n < BEFORE; n++) await send(n);
  await call('ai/context/compact', { chatSessionId: sessionId, keepTurns: 4, writer: 'digest' });
  const compactedAt = server.requests.length;
  for (let n = BEFORE; n < BEFORE + AFTER; n++) await send(n);

  const after = replay(server.requests).slice(compactedAt + 1);
  expect(cachedShare(after)).toBeGreaterThanOrEqual(0.8);
  expect(Math.min(...after.map(({ marks }) => marks))).toBeGreaterThanOrEqual(2);
});
