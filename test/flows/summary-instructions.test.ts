import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { giveConsent } from '../../src/agent/index.ts';
import { createSession } from '../../src/session/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { TRANSPORTS } from '../faces/rpc/transports.ts';
import { replyObject } from '../support/wire-script.ts';
import { startWireServer, type WireRequest } from '../support/wire-server.ts';
import { askedFor, obligingModel, SUMMARY } from './chat-model.ts';
import { createChatPlace, idIn } from './chat-place.ts';
import { tempFolder } from './child.ts';

const WISH = 'Every order number, with its state.';
const SALLY = `export const name = 'Sally'; export const instructions = 'Be brief.'; export const summaryInstructions = '${WISH}';`;

const summariesAmong = (requests: readonly WireRequest[]) =>
  requests.filter((request) => askedFor(request) === 'summary').map(({ body }) => JSON.stringify(body));

describe('what an agent module wants kept in summaries', () => {
  it('reaches the model that writes one: asked for in a chat, in a shell, and at the end of the chat', async () => {
    using place = createChatPlace();
    writeFileSync(path.join(place.folder, 'sally.mjs'), SALLY);
    await using server = await startWireServer('anthropic', obligingModel());
    const long = 'and a good many words about the order and the state that it is in. '.repeat(20);
    const first = await place.talk(
      [`Order 4711 ${long}`, `Order 4712 ${long}`, `Order 4713 ${long}`, '/compact --here the dates', 'exit'],
      { env: server.env, args: ['--agent', 'sally.mjs'] },
    );
    const [here, closing] = summariesAmong(server.requests);
    expect(here).toContain(`${WISH}\\n\\nthe dates`);
    expect(closing).toContain(WISH);
    await place.talk([`Order 4714 ${long}`, `Order 4715 ${long}`, 'exit'], { env: server.env });
    const before = server.requests.length;
    const id = idIn(first);
    const shell = await place.run(['compact', id, '--keep', '2', '--model', server.reference], {
      env: server.env,
    });
    expect(shell.code).toBe(0);
    expect(summariesAmong(server.requests.slice(before))[0]).toContain(WISH);
    expect((await place.run(['context', id], { env: server.env })).stderr).toContain(WISH);
  });

  it('reaches it over RPC too, requested and automatic, unless agent modules are left out', async () => {
    using folder = tempFolder();
    vi.stubEnv('HOME', folder.path);
    const file = folder.file('sally.mjs');
    writeFileSync(file, SALLY);
    await giveConsent(file);
    const script = obligingModel({ summary: () => replyObject(SUMMARY) });
    for (const agents of [true, false]) {
      await using model = await startWireServer('openai-chat', script);
      await using line = await TRANSPORTS.http({ env: model.env, agents, window: 4_096 });
      {
        const settings = { agentPath: file, model: model.reference };
        await using session = await createSession(line.store, { id: 's', settings });
        const words = 'the worker takes a lease of three minutes and writes what it did. '.repeat(20);
        for (let turn = 0; turn < 10; turn++) await session.append([user(words), assistant(words)]);
      }
      const { client } = line;
      const meter = await client.call('chat/context/meter', { sessionId: 's' });
      expect(meter.summaryInstructions).toBe(agents ? WISH : undefined);
      await client.call('ai/context/compact', { chatSessionId: 's', keepTurns: 8 });
      const { aiSessionId } = await client.call('ai/session/create', { chatSessionId: 's' });
      await client.call('ai/session/send', { sessionId: aiSessionId, content: 'And now?', wait: true });
      const asked = summariesAmong(model.requests);
      expect(asked.length).toBeGreaterThan(1);
      for (const text of asked) expect(text.includes(WISH)).toBe(agents);
    }
    vi.unstubAllEnvs();
  });
});
