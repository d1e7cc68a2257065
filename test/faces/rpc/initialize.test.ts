import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHttpClient, hashToken, METHODS, NOTIFICATIONS } from '../../../src/faces/rpc/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { EACH, openServer } from './transports.ts';

describe.each(EACH)('the handshake over %s', (name, open) => {
  it('says what there is, on the same terms everywhere', async () => {
    await using line = await open({ version: '1.2.3', agents: true, heartbeatMs: 7000 });
    const told = await line.client.initialize({ name: 'a test', version: '9' });
    expect(told).toEqual({
      protocolVersion: '1',
      server: { name: 'throughline', version: '1.2.3' },
      token: { user: 'owner', mayWrite: true, projects: null },
      capabilities: {
        methods: Object.keys(METHODS),
        notifications: name === 'http' ? [] : Object.keys(NOTIFICATIONS),
        transports: name === 'stdio' ? ['stdio'] : ['http', 'event-stream', 'websocket'],
        readOnly: null,
        agents: true,
        approvals: ['once', 'session', 'always'],
        limits: {
          bodyBytes: 10 * 1024 * 1024,
          batch: 100,
          nesting: 200,
          answerMs: 60_000,
          approvalMs: 300_000,
          heartbeatMs: 7000,
        },
      },
    });
  });

  it('takes the newest version that both speak, and refuses a client that speaks none', async () => {
    await using line = await open();
    const { client } = line;
    const newer = {
      client: { name: 'a test', colour: 'blue' },
      features: ['x'],
      protocolVersions: ['99', '1'],
    };
    expect(await client.call('initialize', newer)).toMatchObject({ protocolVersion: '1' });
    const both = await client.call('initialize', { protocolVersions: ['99', '1', '0.5'] });
    expect(both.protocolVersion).toBe('1');
    await expect(client.call('initialize', { protocolVersions: ['99', '98'] })).rejects.toMatchObject({
      code: 'protocol-unsupported',
      message: expect.stringContaining('speaks 1'),
      details: { asked: ['99', '98'], spoken: ['1'] },
    });
    // Nothing depends on it: the same line goes on.
    expect(await client.call('chat/session/list', {})).toMatchObject({ sessions: [] });
    expect((await client.call('initialize')).capabilities.agents).toBe(false);
  });
});

it('a token that may only read some projects gets its limits', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-initialize-'));
  try {
    const tokensFile = path.join(folder, 'tokens.json');
    const token = 'x'.repeat(40);
    const sha256 = hashToken(token);
    const reader = { name: 'rita', sha256, projects: ['shop'], access: 'read' };
    writeFileSync(tokensFile, JSON.stringify({ tokens: [reader] }), { mode: 0o600 });
    await using server = await openServer({ store: createMemoryStore(), tokensFile, agents: true });
    const client = createHttpClient({ url: server.url, token });
    const { token: me, capabilities } = await client.initialize({ name: 'a test' });
    expect(me).toEqual({ user: 'rita', mayWrite: false, projects: ['shop'] });
    expect(capabilities.approvals).toEqual([]);
    expect(capabilities.methods).toContain('chat/session/list');
    expect(capabilities.methods).not.toContain('chat/session/create');
    for (const method of Object.keys(METHODS).filter((each) => !capabilities.methods.includes(each)))
      await expect(client.call(method as 'chat/session/create')).rejects.toMatchObject({
        code: 'access-denied',
      });
    client.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
