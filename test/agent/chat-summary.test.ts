import { describe, expect, it } from 'vitest';
import { type AgentOptions, openAgent, readCalls, summariserFor } from '../../src/agent/index.ts';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { openModel } from '../../src/models/index.ts';
import { type Compaction, summaryCallIn } from '../../src/record/index.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { SUMMARY_END, SUMMARY_START } from '../../src/summary/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { countText } from '../../src/tokens/index.ts';
import { type CachedRequest, type CacheUse, createAnthropicCache } from '../support/anthropic-cache.ts';
import { badRequest, callTool, reply, type Step } from '../support/wire-script.ts';
import { PROTOCOLS, type Protocol, startWireServer, type WireRequest } from '../support/wire-server.ts';

const filler = (n: number, times = 40) =>
  `Nothing in remark ${n} matters to the readers of it. `.repeat(times);
const settings = { ...PRESETS.window, trigger: { tokens: 30_000 }, keep: { messages: 4 } };
const look = {
  description: 'Looks at a page.',
  inputSchema: { type: 'object', properties: { at: { type: 'number' } } },
  execute: ({ at }: { at?: number }) => `PAGE ${at}: ${filler(at ?? 0)}`,
};
const RECORD = `${SUMMARY_START}
**Background Context:** Initial session.

**Current Session Summary:**
**Topics Discussed:**
- The printers of the towns

**Decisions Made:**
- The printer in Leeds charges 4711 pounds

**Pending:**
- None
${SUMMARY_END}`;

const asksForRecord = ({ body }: WireRequest) => JSON.stringify(body).includes('asks for a record of a part');
const none = { input: 0, output: 0 };
const usage = { input: 30_000, output: 200, cacheRead: 29_000 };

/** Talks, with a tool in every other turn, until a summary was written. */
async function talk(
  protocol: Protocol,
  answer: (request: WireRequest, asked: number) => Step | undefined = () => undefined,
) {
  let asked = 0;
  const server = await startWireServer(protocol, (request, n) => {
    if (asksForRecord(request)) return answer(request, asked++) ?? reply(RECORD, { usage });
    if (JSON.stringify(request.body).includes('<transcript>')) return reply(RECORD, { usage });
    return n % 3 === 1
      ? callTool('look', { at: n }, { id: `call_${n}`, usage: none })
      : reply(`Answer ${n}. ${filler(n)}`, { usage: none });
  });
  const session = await createSession(createMemoryStore(), { settings: { systemPrompt: 'Be exact.' } });
  const ran: unknown[] = [];
  const execute = (input: { at?: number }) => {
    ran.push(input.at);
    return look.execute(input);
  };
  await using agent = await openAgent(session, {
    openModel: { env: server.env },
    tools: { look: { ...look, execute } },
    compaction: { settings },
    window: 100_000,
  });
  for (let n = 0; n < 30 && (await compactionsOf(session)).length === 0; n++)
    await agent.send(
      n === 0 ? `Note that the printer in Leeds charges 4711 pounds. ${filler(0, 2_200)}` : `Question ${n}?`,
    );
  return { server, session, ran, asked: () => asked };
}

async function compactionsOf(session: Session): Promise<Compaction[]> {
  const notes = await session.read({ only: 'notes' });
  return notes.flatMap(({ body }) => (body.kind === 'compaction' ? [body] : []));
}

const MARKS = new Set(['cache_control', 'prompt_cache_breakpoint']);

/** What a provider reads, in its order, piece by piece. */
function piecesOf({ body }: WireRequest): string[] {
  const { tools = [], system = [], systemInstruction, instructions, messages, input, contents } = body;
  const all = [...tools, ...system, systemInstruction, instructions, ...(messages ?? input ?? contents)];
  return all.filter(Boolean).flatMap((piece: { content?: unknown; output?: unknown }) => {
    // A marked output is a list of its one text.
    const output = Array.isArray(piece.output) ? (piece.output[0] as { text: string }).text : piece.output;
    const parts = Array.isArray(piece.content) ? (piece.content as object[]) : [{ ...piece, output }];
    return parts.map((part) => JSON.stringify(part, (key, value) => (MARKS.has(key) ? undefined : value)));
  });
}

/** Share of a request with which the one before it began. */
function sharedOf(request: WireRequest, before: WireRequest): number {
  const [pieces, known] = [piecesOf(request), piecesOf(before)];
  const end = pieces.findIndex((piece, index) => piece !== known[index]);
  const tokens = (list: readonly string[]) => list.reduce((sum, piece) => sum + countText(piece), 0);
  return tokens(pieces.slice(0, end)) / tokens(pieces);
}

describe.each(PROTOCOLS)('a summary over the wire of %s', (protocol) => {
  it('is asked for behind the messages of the chat, with its prompt and tools', async () => {
    const { server, session } = await talk(protocol);
    await using _ = server;
    const at = server.requests.findIndex(asksForRecord);
    const request = server.requests[at]!;
    expect(at).toBeGreaterThan(2);
    expect(sharedOf(request, server.requests[at - 1]!)).toBeGreaterThanOrEqual(0.95);

    const [made] = await compactionsOf(session);
    expect(made!.by).toMatchObject({ kind: 'model' });
    expect(made!.summary.decisions[0]).toMatchObject({ text: 'The printer in Leeds charges 4711 pounds' });
    expect(made!.summary.decisions[0]!.from).toHaveLength(1);
    const call = summaryCallIn(made!.meta)!;
    expect(call).toMatchObject({ as: 'chat', because: 'cached' });
    expect(call.shared! / call.tokens!).toBeGreaterThanOrEqual(0.95);
    for await (const one of readCalls(session.store, session.info))
      if (one.for === 'compaction')
        expect(one).toMatchObject({ asked: { as: 'chat' }, usage: { inputTokens: 30_000 } });
    await session.close();
  });

  it('runs no tool that is called in its place', async () => {
    const calls = () => callTool('look', { at: 999 }, { id: 'call_999' });
    const once = await talk(protocol, (_, asked) => (asked === 0 ? calls() : undefined));
    await using _ = once.server;
    expect(once.ran).not.toContain(999);
    const [answered] = await compactionsOf(once.session);
    const refusesItself = protocol === 'openai-responses';
    expect(summaryCallIn(answered!.meta)).toMatchObject(
      refusesItself ? { as: 'own', because: 'called-tools' } : { as: 'chat' },
    );
    await once.session.close();

    const always = await talk(protocol, calls);
    await using __ = always.server;
    expect(always.ran).not.toContain(999);
    expect(always.asked()).toBe(refusesItself ? 1 : 2);
    const [made] = await compactionsOf(always.session);
    expect(made!.by).toMatchObject({ kind: 'model' });
    expect(summaryCallIn(made!.meta)).toEqual({ as: 'own', because: 'called-tools' });
    await always.session.close();
  });

  it.each([
    ['refuses it', reply('I cannot help with that.', { finish: 'content-filter' })],
    ['ends it halfway', reply(RECORD, { finish: 'content-filter' })],
    ['says nothing', reply('')],
  ])('is asked for in a separate call where the model %s', async (_, answer) => {
    const unusable = await talk(protocol, () => answer);
    await using __ = unusable.server;
    const [made] = await compactionsOf(unusable.session);
    expect(summaryCallIn(made!.meta)).toEqual({ as: 'own', because: 'unusable' });
    expect(made!.summary.decisions[0]).toMatchObject({ text: 'The printer in Leeds charges 4711 pounds' });
    await unusable.session.close();
  });

  it('is asked for in a separate call where the provider refuses it, or it is none', async () => {
    const refused = await talk(protocol, () => badRequest('messages: no'));
    await using _ = refused.server;
    expect(summaryCallIn((await compactionsOf(refused.session))[0]!.meta)).toEqual({
      as: 'own',
      because: 'refused',
    });
    await refused.session.close();
  });
});

const allOf = (uses: readonly CacheUse[]) => {
  const sum = (pick: (use: CacheUse) => number) => uses.reduce((all, use) => all + pick(use), 0);
  return sum(({ read }) => read) / sum(({ input }) => input);
};

it('reads at least 95 % of it from the cache of Anthropic, which then serves the chat as before', async () => {
  const { server, session } = await talk('anthropic');
  await using _ = server;
  const at = server.requests.findIndex(asksForRecord);
  const usesOf = (requests: readonly WireRequest[]) => {
    const cache = createAnthropicCache();
    return requests.map(({ body }) => cache.take(body as CachedRequest));
  };
  const uses = usesOf(server.requests);
  expect(uses[at]!.read / uses[at]!.input).toBeGreaterThanOrEqual(0.95);
  const without = usesOf(server.requests.filter((one) => one !== server.requests[at]));
  expect(allOf(uses.slice(at + 1))).toBeGreaterThanOrEqual(allOf(without.slice(at)));
  await session.close();
});

it('is asked for in a separate call where the log does not hold the last request', async () => {
  await using server = await startWireServer('anthropic', (request) =>
    asksForRecord(request) ? reply('No.') : reply(RECORD, { usage: none }),
  );
  const session = await createSession(createMemoryStore());
  for (let n = 0; n < 12; n++)
    await session.append([user(`Question ${n}? ${filler(n)}`), assistant(`Answer ${n}.`)]);
  const opened = await openModel(server.reference, { env: server.env });
  const summariser = await summariserFor(session.store, session.info, { opened });
  await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 4 } }, summariser });
  const [made] = await compactionsOf(session);
  expect(summaryCallIn(made!.meta)).toEqual({ as: 'own', because: 'not-asked-before' });
});

it('is asked for behind the chat by a command too, while its cache is warm, and in a separate call after that', async () => {
  const asked = async (hoursLater: number, providerOptions?: AgentOptions['providerOptions']) => {
    await using server = await startWireServer('anthropic', (request, n) =>
      asksForRecord(request) || JSON.stringify(request.body).includes('<transcript>')
        ? reply(RECORD)
        : reply(`Answer ${n}. ${filler(n, 120)}`, { usage: none }),
    );
    await using session = await createSession(createMemoryStore());
    await using agent = await openAgent(session, {
      openModel: { env: server.env },
      tools: { look },
      ...(providerOptions && { providerOptions }),
    });
    for (let n = 0; n < 6; n++) await agent.send(`Question ${n}?`);
    const opened = await openModel(server.reference, { env: server.env });
    const now = () => Date.now() + hoursLater * 3_600_000;
    const summariser = await summariserFor(session.store, session.info, { opened, now });
    await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 4 } }, summariser });
    const [made] = await compactionsOf(session);
    return summaryCallIn(made!.meta);
  };
  expect(await asked(0)).toMatchObject({ as: 'chat', because: 'cached' });
  expect(await asked(1)).toEqual({ as: 'own', because: 'cold' });
  const thinking = { type: 'enabled', budgetTokens: 2_000 } as const;
  // Its turns are asked with options that a command does not know.
  expect(await asked(0, { anthropic: { thinking } })).toEqual({ as: 'own', because: 'changed' });
});
