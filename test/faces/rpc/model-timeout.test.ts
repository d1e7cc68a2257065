import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/store/index.ts';
import { hang, reply, stall } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { talk, until } from './conversations.ts';
import { TRANSPORTS } from './transports.ts';

const NAMED = 'sent nothing for 0.1 seconds, the timeout that is set.';

describe('a server with a timeout for models', () => {
  it.each([
    { when: 'before the answer', step: hang(), kept: '' },
    { when: 'in the middle of the answer', step: stall(reply('one two three four')), kept: 'one two ' },
  ])('ends a turn whose stream stalls $when, and keeps what came', async ({ step, kept }) => {
    await using model = await startWireServer('openai-chat', [step]);
    const store = createMemoryStore();
    const failures: [unknown, string | undefined][] = [];
    await using line = await TRANSPORTS.websocket({
      store,
      env: model.env,
      modelTimeoutMs: 100,
      onError: (error, session) => failures.push([error, session]),
    });
    const { client } = line;
    const { aiSessionId, chatSessionId } = await client.call('ai/session/create', {});
    const errors: unknown[] = [];
    client.watch(chatSessionId, {
      onEvent(event) {
        if (event.type === 'turn-error') errors.push(event);
      },
    });
    await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Count.' });
    await until(() => errors.length > 0 || undefined);
    expect(errors).toEqual([
      expect.objectContaining({ code: 'model-timeout', message: expect.stringContaining(NAMED) }),
    ]);
    expect(failures).toEqual([[expect.objectContaining({ code: 'model-timeout' }), chatSessionId]]);
    const entries = await store.read(chatSessionId, { only: 'messages' });
    const answers = entries.flatMap(({ body }) =>
      body.kind === 'message' && body.role === 'assistant' ? [JSON.stringify(body.parts)] : [],
    );
    expect(answers).toEqual(kept === '' ? [] : [expect.stringContaining(kept.trim())]);
    await model.requests[0]!.closed;
  });

  it('gives a summary as long, then lets the digest write it and says why', async () => {
    await using model = await startWireServer('openai-chat', () => hang());
    await using line = await TRANSPORTS.http({ env: model.env, modelTimeoutMs: 100 });
    const { id } = await talk(line.client, 20);
    const result = await line.client.call('ai/context/compact', { chatSessionId: id, keepRecentCount: 4 });
    expect(result.messagesCompacted).toBeGreaterThan(0);
    expect(result.failures[0]!.reason).toMatch(/0\.1 s/);
  });
});
