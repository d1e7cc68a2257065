import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/record/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore, openStore } from '../../src/store/index.ts';
import { user } from '../../src/testing/index.ts';
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
    expect(await update('some-model:7b')).toMatchObject({ provider: 'anthropic', model: 'some-model:7b' });
  });

  it.each([
    { model: 'openai-codex:gpt-5.4' },
    { model: 'gpt-5.4', provider: 'openai-codex' },
    { model: 'big-pickle' },
  ])('that was imported with a model nobody here knows is shown and gone on with: %o', async (settings) => {
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
