import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  contextFor,
  contextWithRecall,
  listTurns,
  type OpenAgent,
  openAgent,
  type TurnEvent,
} from '../../src/agent/index.ts';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { type EntryId, newEntryId } from '../../src/record/index.ts';
import { openRecall } from '../../src/search/index.ts';
import { createSession, labelSession, openSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { held, reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';

function createFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-agent-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

describe('an agent on a session', () => {
  it.each([42, 'object', true])('refuses a tool whose schema is %s, by its name', async (inputSchema) => {
    await using server = await startWireServer('openai-chat', () => reply('Yes.'));
    await using store = createMemoryStore();
    await using session = await createSession(store);
    const tools = { weigh: { description: 'Weighs.', inputSchema, execute: () => 1 } };
    await using agent = await openAgent(session, { tools, openModel: { env: server.env } });
    await expect(agent.send('How heavy?')).rejects.toMatchObject({
      code: 'usage',
      details: { tool: 'weigh' },
    });
  });

  it('sends the system prompt, the instructions of the folder and recalled messages, as its context foretells', async () => {
    using place = createFolder();
    writeFileSync(path.join(place.folder, 'AGENTS.md'), 'Use tabs.');
    await using server = await startWireServer('openai-chat', () => reply('4711.'));
    await using store = createMemoryStore();
    const settings = { systemPrompt: 'Answer in French.', compaction: 'off' } as const;
    await using session = await createSession(store, { settings });
    await session.append([
      user('The printer in Leeds charges 4711 pounds for the whole edition, paper included.'),
      assistant('Noted, it is in the budget sheet beside the binding.'),
      user('Now the chapter on rivers and lakes of the north, with a map of the delta.'),
      assistant('The chapter is drafted, with the map and a list of harbours at its end.'),
      user('And the index of names still lacks everybody from chapter nine.'),
      assistant('Added forty names from chapter nine to the index.'),
    ]);
    await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 1 } } });
    const options = { folder: place.folder, openModel: { env: server.env } };
    await using agent = await openAgent(session, options);
    const question = 'What does the printer charge?';
    const id = newEntryId();
    const foretold = await agent.context({ question, id });
    const elsewhere = await contextFor(store, session.id, { ...options, question, id });
    expect(elsewhere.context).toEqual(foretold.context);
    const { input } = await agent.send({ id, parts: [{ type: 'text', text: question }] });
    const { sent, context, as } = await agent.context({ at: input.seq });
    expect([as, sent?.exact]).toEqual(['sent', true]);
    expect([context.instructions, context.messages, context.tokens]).toEqual([
      foretold.context.instructions,
      foretold.context.messages,
      foretold.context.tokens,
    ]);
    const body = JSON.stringify(server.requests.at(-1)!.body);
    for (const words of ['Answer in French.', 'Use tabs.', 'Found in earlier entries', '4711 pounds'])
      expect(body).toContain(words);
    const bare = await contextFor(store, session.id, { ...options, question, memory: false, recall: false });
    expect(bare.context.parts.map(({ part }) => part)).not.toContain('instructions');
    expect(bare.context.recalled).toEqual([]);
  });

  it('gives a caller with an open index the log as it stands, with messages recalled for a question', async () => {
    await using store = createMemoryStore();
    await using session = await createSession(store);
    const filler = [
      user('Now the rivers.'),
      assistant('Drafted.'),
      user('And the index?'),
      assistant('Forty names.'),
    ];
    await session.append([user('The printer in Leeds charges 4711 pounds.'), assistant('Noted.'), ...filler]);
    await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 1 } } });
    await using recall = await openRecall(store);
    const question = 'What does the printer in Leeds charge?';
    const budget = { window: 32_000 };
    const found = await contextWithRecall(store, recall, await session.refresh(), { budget, question });
    expect(found.recalled.length).toBeGreaterThan(0);
    expect(found.messages.at(-1)).toMatchObject({ role: 'user', content: [{ text: question }] });
    const none = { window: 32_000, recallTokens: 0 };
    const bare = await contextWithRecall(store, recall, session.info, { budget: none, question });
    expect(bare.recalled).toEqual([]);
    expect(found.messages.slice(0, bare.messages.length - 1)).toEqual(bare.messages.slice(0, -1));
  });

  it('runs messages in the order in which they are sent, each with the model it is sent to', async () => {
    await using server = await startWireServer('openai-chat', () => reply('Yes.'));
    await using store = createMemoryStore();
    await using session = await createSession(store);
    await using agent = await openAgent(session, { openModel: { env: server.env } });
    const words = ['one', 'two', 'three', 'four'];
    await Promise.all(words.map((word, index) => agent.send(word, index === 2 ? { model: 'offline' } : {})));
    const messages = await session.read({ only: 'messages' });
    const asked = messages.filter(({ body }) => body.kind === 'message' && body.role === 'user');
    expect(asked.map(({ body }) => body.kind === 'message' && body.parts[0]!.text)).toEqual(words);
    const offline = messages.filter(({ body }) => body.kind === 'message' && body.model === 'offline:quotes');
    expect(offline).toHaveLength(1);
    expect(agent.model.because).toBe('environment');
  });

  it('goes by settings that were changed past its handle, as its context foretells', async () => {
    await using server = await startWireServer('openai-chat', () => reply('Yes.'));
    await using store = createMemoryStore();
    await using session = await createSession(store, { settings: { model: server.reference } });
    await using agent = await openAgent(session, { openModel: { env: server.env } });
    await agent.send('One?');
    expect(server.requests).toHaveLength(1);
    const { head } = await session.refresh();
    await labelSession(store, session.info, { settings: { provider: 'offline', model: null } });
    expect(session.info.head).toBe(head);
    expect((await agent.context()).model).toBe('offline:quotes');
    await agent.send('Two, which nobody else may hear?');
    expect(server.requests).toHaveLength(1);
    expect(agent.model.id).toBe('offline:quotes');
  });

  it('runs several messages with one preparation, and refuses a model before anything is stored', async () => {
    await using server = await startWireServer('openai-chat', () => reply('Yes.'));
    await using store = createMemoryStore();
    await using session = await createSession(store);
    await using agent = await openAgent(session, { openModel: { env: server.env } });
    await expect(agent.prepare({ model: 'zzz:zzz' })).rejects.toMatchObject({ code: 'model-unknown' });
    expect(session.info.head).toBe(0);
    const prepared = await agent.prepare({ model: 'offline' });
    const kept: boolean[] = [];
    const onEvent = (event: TurnEvent) => event.type === 'input-stored' && kept.push(event.waiting);
    const turns = ['one', 'two'].map((word) => agent.send(word, { prepared, onEvent }));
    const answers = (await Promise.all(turns)).map(({ text }) => text);
    expect(answers).toHaveLength(2);
    expect(server.requests).toEqual([]);
    // The second entered the queue while the first was run, before it could be over.
    expect(kept.toSorted()).toEqual([false, false, true]);
  });

  describe('that an earlier process left with a message that waits', () => {
    async function leave(): Promise<{ store: Store; id: string; waiting: EntryId }> {
      const store = createMemoryStore();
      await using session = await createSession(store);
      const gate = Promise.withResolvers<void>();
      await using server = await startWireServer('openai-chat', () => held(reply('Too late.'), gate.promise));
      await using agent = await openAgent(session, { openModel: { env: server.env } });
      const shutdown = new AbortController();
      const waiting = newEntryId();
      const first = agent.send('first', { shutdown: shutdown.signal });
      await server.received(1);
      const stored = Promise.withResolvers<void>();
      const second = agent.send(
        { id: waiting, parts: 'second' },
        { shutdown: shutdown.signal, onEvent: ({ type }) => type === 'input-stored' && stored.resolve() },
      );
      await stored.promise;
      shutdown.abort();
      await Promise.allSettled([first, second]);
      gate.resolve();
      return { store, id: session.id, waiting };
    }

    async function answered(session: Session): Promise<unknown[]> {
      const turns = await listTurns(session.store, await session.refresh());
      return turns.map(({ question, status }) => [question, status]).reverse();
    }

    const rows: [string, (agent: OpenAgent, waiting: EntryId) => Promise<unknown>, string[]][] = [
      ['sends another', (agent) => agent.send('third'), ['interrupted', 'complete', 'complete']],
      ['streams another', (agent) => drain(agent.stream('third')), ['interrupted', 'complete', 'complete']],
      [
        'sends another with what is prepared',
        async (agent) => agent.send('third', { prepared: await agent.prepare() }),
        ['interrupted', 'complete', 'complete'],
      ],
      [
        'sends that one by its id',
        (agent, id) => agent.send({ id, parts: 'second' }),
        ['interrupted', 'complete'],
      ],
      ['goes on', (agent) => agent.continue(), ['complete', 'complete']],
      ['goes on alone', (agent) => agent.continue({ alone: true }), ['complete', 'waiting']],
      ['asks again', (agent) => agent.retry(), ['complete', 'complete']],
      [
        'sends the first by its id',
        (agent) => agent.send({ id: agent.left.unfinished!.id, parts: 'first' }),
        ['complete', 'complete'],
      ],
    ];
    it.each(rows)('answers it in its place when the next one %s', async (_, act, statuses) => {
      const { store, id, waiting } = await leave();
      await using _store = store;
      await using session = await openSession(store, id);
      await using agent = await openAgent(session, { model: 'offline' });
      expect(agent.left.waiting).toHaveLength(1);
      await act(agent, waiting);
      const questions = ['first', 'second', 'third'];
      expect(await answered(session)).toEqual(statuses.map((status, index) => [questions[index], status]));
    });
  });

  it('on a session that is open to read tells its context and sends nothing', async () => {
    await using store = createMemoryStore();
    await using writer = await createSession(store, { settings: { systemPrompt: 'Be brief.' } });
    await using session = await openSession(store, writer.id, { mode: 'read' });
    await using agent = await openAgent(session, { model: 'offline' });
    expect((await agent.context({ question: 'Which port?' })).context.instructions).toBe('Be brief.');
    await expect(agent.send('Which port?')).rejects.toMatchObject({ code: 'usage' });
  });

  it('compacts before a turn as its policy says, and announces the request after it', async () => {
    await using store = createMemoryStore();
    await using session = await createSession(store, { settings: { compaction: 'window' } });
    const long = Array.from({ length: 12 }, (_, n) => [
      user(`Part ${n}: ${'the wall of the north side '.repeat(60)}`),
      assistant(`Part ${n} is painted. ${'White and blue. '.repeat(60)}`),
    ]);
    await session.append(long.flat());
    await using agent = await openAgent(session, { model: 'offline', window: 8_000 });
    expect((await agent.context()).compacts).toBe(true);
    const { compactionId, compacts, context } = await agent.ready();
    expect([typeof compactionId, compacts]).toEqual(['string', false]);
    expect((await agent.context()).context.messages).toEqual(context.messages);
    const { input } = await agent.send('Which side is next?');
    const then = await agent.context({ at: input.seq });
    expect([then.as, then.sent?.exact, then.context.window]).toEqual(['sent', true, 8_000]);
  });

  it('closes what a crash left, and goes on with it', async () => {
    await using store = createMemoryStore();
    await store.create({ id: 'cut' });
    await store.append('cut', [{ body: user('Which port?') }]);
    await using session = await openSession(store, 'cut');
    await using agent = await openAgent(session, { model: 'offline' });
    expect(agent.left.unfinished?.seq).toBe(1);
    expect(await agent.continue()).toMatchObject({ status: 'complete' });
    await expect(agent.retry()).rejects.toMatchObject({ code: 'usage' });
  });

  it('says which model answers in the place of one that cannot be used, also with every turn', async () => {
    await using store = createMemoryStore();
    await using session = await createSession(store, { settings: { model: 'openrouter:qwen' } });
    await using agent = await openAgent(session, { openModel: { env: {} } });
    expect(agent.model).toMatchObject({
      id: 'offline:quotes',
      problem: expect.stringContaining('openrouter'),
    });
    const replaced: unknown[] = [];
    await agent.send('Hello', {
      onEvent: (event) => event.type === 'model-replaced' && replaced.push(event.model),
    });
    expect(replaced).toEqual(['offline:quotes']);
    await expect(openAgent(session, { model: 'openrouter:qwen' })).rejects.toMatchObject({
      code: 'model-unknown',
    });
  });
});

describe('the context of a session', () => {
  it('is rebuilt for an earlier entry without notes of an answer, and refused beyond the end', async () => {
    await using store = createMemoryStore();
    await using session = await createSession(store, { settings: { systemPrompt: 'Be brief.' } });
    await session.append([user('Which port?'), assistant('8080.'), user('Why?')]);
    const { head } = session.info;
    const then = await contextFor(store, session.id, { at: head - 1, model: 'offline' });
    expect([then.as, then.context.messages.length]).toEqual(['rebuilt', 2]);
    expect(then.context.instructions).toBe('Be brief.');
    await expect(contextFor(store, session.id, { at: head + 1 })).rejects.toMatchObject({
      code: 'entry-not-found',
    });
  });
});

async function drain(events: AsyncGenerator<unknown, unknown, void>): Promise<void> {
  for await (const _ of events);
}
