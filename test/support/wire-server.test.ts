import { describe, expect, it } from 'vitest';
import { generate, openModel } from '../../src/models/index.ts';
import { reply, serverError } from './wire-script.ts';
import { startWireServer, type WireServer } from './wire-server.ts';

async function ask(server: WireServer, content = 'Hello') {
  const model = await openModel(server.reference, { env: server.env });
  return generate({
    model,
    messages: [{ role: 'user', content }],
    maxOutputTokens: 9,
    timeoutMs: 5_000,
    maxRetries: 0,
  });
}

describe('a wire server', () => {
  it('says so when its script is too short', async () => {
    await using server = await startWireServer('google');
    await expect(ask(server)).rejects.toThrow('has no step for request 1');
  });

  it('takes more steps later', async () => {
    await using server = await startWireServer('anthropic', [serverError()]);
    await expect(ask(server)).rejects.toMatchObject({ code: 'model-failed' });
    server.add(reply('Better.'));
    expect((await ask(server)).text).toBe('Better.');
  });

  it('can follow a rule instead of a list', async () => {
    await using server = await startWireServer('ollama', ({ body }, index) =>
      reply(`${index}: ${body.messages[0].content}`),
    );
    const answers = [await ask(server, 'a'), await ask(server, 'b')];
    expect(answers.map(({ text }) => text)).toEqual(['0: a', '1: b']);
  });

  it('listens on this machine only', async () => {
    await using server = await startWireServer('openai-chat');
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
  });
});
