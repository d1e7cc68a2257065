import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalJson, isOwnSetting, SETTINGS } from '../../../src/record/index.ts';
import { createSession } from '../../../src/session/index.ts';
import { createMemoryStore, openStore } from '../../../src/store/index.ts';
import { user } from '../../../src/testing/index.ts';
import { reply } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { TRANSPORTS } from './transports.ts';

describe('a session', () => {
  it("keeps the server's own settings out of the hands of others", async () => {
    await using line = await TRANSPORTS.stdio();
    const create = (settings: Record<string, unknown>) =>
      line.client.call('chat/session/create', { settings });
    for (const name of [
      ...['agentPath', 'reserved', 'trashed', 'folder:/etc', 'waiting'],
      ...['work', 'source', 'subAgentOf', 'shows:other', 'label:x', 'cliSessionId', ...Object.keys(SETTINGS)],
    ])
      await expect(create({ [name]: 'x' })).rejects.toMatchObject({ code: 'usage' });
  });

  it("gives a host's own settings back wherever it is shown, whatever they are called", async () => {
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const odd = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'name', 'budget');
    const anyName = fc.oneof(odd, fc.string({ minLength: 1, maxLength: 200 }));
    const hostName = anyName.filter((name) => !isOwnSetting(name));
    const anySettings = fc.uniqueArray(fc.tuple(hostName, fc.jsonValue()), {
      selector: ([name]) => name,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(anySettings, anySettings, async (first, second) => {
        const kept = (all: readonly (readonly [string, unknown])[]) =>
          Object.fromEntries([...new Map(all)].filter(([, value]) => value !== null));
        const { id, session } = await client.call('chat/session/create', {
          settings: Object.fromEntries(first),
        });
        expect(equalJson(session.settings, kept(first))).toBe(true);
        const sessionId = id;
        const changed = { sessionId, settings: Object.fromEntries(second) };
        const shown = [
          (await client.call('chat/session/update', changed)).session,
          (await client.call('chat/session/get', { sessionId })).session,
          (await client.call('chat/context/build', { sessionId })).context.session,
          (await client.call('chat/session/list', {})).sessions.find((one) => one.id === id)!,
        ];
        const all = kept([...first, ...second]);
        for (const { settings } of shown) expect(equalJson(settings, all)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each([{ settings: 5 }, { settings: { '': 1 } }, { settings: { ['n'.repeat(201)]: 1 } }])(
    'refuses settings that have no names: %#',
    async (params) => {
      await using line = await TRANSPORTS.stdio();
      const create = line.client.call('chat/session/create', params as never);
      await expect(create).rejects.toMatchObject({ code: 'usage' });
    },
  );

  it('stores the names of its model alike, whichever call makes it', async () => {
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const model = 'claude:claude-opus-4-5';
    const [one, other] = [
      await client.call('chat/session/create', { model }),
      await client.call('ai/session/create', { model }),
    ];
    const { session } = await client.call('chat/session/get', { sessionId: other.chatSessionId });
    expect([session.provider, session.model]).toEqual([one.session.provider, one.session.model]);
    expect(session.provider).toBe('anthropic');
  });

  it('that an AI session is opened on takes the labels given with it, and refuses another agent by name', async () => {
    await using server = await startWireServer('openai-chat', () => reply('Oui.'));
    await using line = await TRANSPORTS.stdio({ env: server.env });
    const { client } = line;
    const { session } = await client.call('chat/session/create', { title: 'One', systemPrompt: 'Be brief.' });
    const chatSessionId = session.id;
    const get = async () => (await client.call('chat/session/get', { sessionId: chatSessionId })).session;
    const before = await get();
    const refused = client.call('ai/session/create', { chatSessionId, agent: 'sally', title: 'Other' });
    await expect(refused).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('"agent"'),
    });
    const unknown = client.call('ai/session/create', {
      chatSessionId,
      model: 'no-such:model',
      title: 'Other',
    });
    await expect(unknown).rejects.toMatchObject({ code: 'model-unknown' });
    await client.call('ai/session/create', { chatSessionId });
    expect(await get()).toEqual(before);
    const labels = {
      title: 'Other',
      project: 'p',
      systemPrompt: 'Answer in French.',
      compaction: 'off' as const,
    };
    const { aiSessionId } = await client.call('ai/session/create', { chatSessionId, ...labels });
    expect(await get()).toMatchObject(labels);
    await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Hello?', wait: true });
    const sent = JSON.stringify(server.requests.at(-1)!.body);
    expect([sent.includes('Answer in French.'), sent.includes('Be brief.')]).toEqual([true, false]);
  });

  it('is of the provider that its new model names', async () => {
    await using line = await TRANSPORTS.stdio();
    const { session } = await line.client.call('chat/session/create', { provider: 'openai', model: 'gpt-5' });
    const update = async (model: string) =>
      (await line.client.call('chat/session/update', { sessionId: session.id, model })).session;
    expect(await update('claude:claude-opus-4-5')).toMatchObject({ provider: 'anthropic' });
    expect(await line.client.call('ai/session/resume', { chatSessionId: session.id })).toMatchObject({
      provider: 'anthropic',
      model: 'claude-opus-4-5',
    });
    expect(await update('some-model')).toMatchObject({ provider: 'anthropic', model: 'some-model' });
    await expect(update('some-model:7b')).rejects.toMatchObject({ code: 'model-unknown' });
    expect(await update('ollama:some-model:7b')).toMatchObject({ provider: 'ollama' });
    expect(await update('other-model:7b')).toMatchObject({ provider: 'ollama', model: 'other-model:7b' });
  });

  it.each([{ provider: 'offline' }, { provider: 'offline', model: null }])(
    'that is set to another provider sends nothing more to the one before: %o',
    async (change) => {
      await using server = await startWireServer('openai-chat', () => reply('Yes.'));
      await using line = await TRANSPORTS.http({ env: server.env });
      const { client } = line;
      const { session } = await client.call('chat/session/create', { model: server.reference });
      const send = (content: string) =>
        client.call('ai/session/send', { storageSessionId: session.id, content, wait: true });
      await send('One?');
      expect(server.requests).toHaveLength(1);
      await client.call('chat/session/update', { sessionId: session.id, ...change });
      const meter = await client.call('chat/context/meter', { sessionId: session.id });
      expect(meter.model).toBe('offline:quotes');
      expect(await send('Two, for nobody else?')).toMatchObject({ turn: { model: 'offline:quotes' } });
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each([
    { model: 'openai-codex:gpt-5.4' },
    { model: 'gpt-5.4', provider: 'openai-codex' },
    { model: 'big-pickle' },
  ])('that was imported with an unknown model is shown and gone on with: %o', async (settings) => {
    const store = createMemoryStore();
    await using session = await createSession(store, { id: 's', settings });
    await session.append([user('Hello.')]);
    await session.close();
    await using line = await TRANSPORTS.http({ store, leaseWaitMs: 20 });
    const { models } = await line.client.call('models/list');
    expect(models.filter(({ isDefault }) => isDefault)).toHaveLength(1);
    expect(models.map(({ id }) => id)).not.toContain('openai-codex:gpt-5.4');
    const meter = await line.client.call('chat/context/meter', { sessionId: 's' });
    expect(meter.window).toBeGreaterThan(0);
    const { provider } = await line.client.call('ai/session/resume', { chatSessionId: 's' });
    expect(provider).toBe(models.find(({ isDefault }) => isDefault)!.provider);
    const asked = line.client.call('ai/session/resume', { chatSessionId: 's', model: 'big-pickle' });
    await expect(asked).rejects.toMatchObject({ code: 'model-unknown' });
  });

  it('holds large values once, and gives them whole when asked', async () => {
    await using line = await TRANSPORTS.stdio();
    const { session } = await line.client.call('chat/session/create', {});
    const content = 'long '.repeat(20_000);
    const add = { sessionId: session.id, role: 'user' as const, content };
    const { message } = await line.client.call('chat/message/add', add);
    expect(message.parts[0]).toMatchObject({ type: 'text', text: { preview: expect.any(String) } });
    const whole = await line.client.call('chat/message/get', { sessionId: session.id, id: message.id });
    expect(whole.message.content).toBe(content);
  });

  it('does not show the token of a lease to others', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'throughline-rpc-'));
    try {
      await using store = await openStore(path.join(folder, 's.db'), { durability: 'normal' });
      await store.create({ id: 's' });
      const owner = { name: 'chat', host: 'here', pid: process.pid, startedAt: 'x' };
      await store.claimLease('s', { token: 'very-secret-token', owner, ttlMs: 60_000 });
      await using line = await TRANSPORTS.http({ store, leaseWaitMs: 20 });
      const params = { sessionId: 's', role: 'user', content: 'x' };
      const text = await line.raw(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'chat/message/add', params }),
      );
      expect(JSON.parse(text).error.data).toMatchObject({
        code: 'lease-held',
        details: { holder: { name: 'chat' } },
      });
      expect(text).not.toContain('very-secret-token');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
