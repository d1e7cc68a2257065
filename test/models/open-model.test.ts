import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { generate, openModel } from '../../src/models/index.ts';
import { reply } from '../support/wire-script.ts';
import { PROTOCOLS, startWireServer } from '../support/wire-server.ts';

const KEYS = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', GEMINI_API_KEY: 'g' };
const noNetwork = { fetch: () => Promise.reject(new Error('no network')) };

describe('opening a model', () => {
  it.each([
    { reference: 'anthropic', id: 'anthropic:claude-sonnet-5-5' },
    { reference: 'openai', id: 'openai:gpt-6.1-sol' },
    { reference: 'google', id: 'google:gemini-3.8-flash' },
    { reference: 'claude-opus-5-5', id: 'anthropic:claude-opus-5-5' },
    { reference: 'ollama:qwen3:8b', id: 'ollama:qwen3:8b' },
    { reference: 'compatible:m@http://127.0.0.1:1/v1', id: 'compatible:m@http://127.0.0.1:1/v1' },
    { reference: 'offline', id: 'offline:quotes' },
  ])(
    '"$reference" gives $id, makes no call, and can be opened again by that id',
    async ({ reference, id }) => {
      const opened = await openModel(reference, { env: KEYS, ...noNetwork });
      expect(opened.id).toBe(id);
      expect(opened.languageModel).toMatchObject({ specificationVersion: 'v4', modelId: opened.model });
      const { languageModel: _, ...facts } = opened;
      expect(await openModel(id, { env: KEYS, ...noNetwork })).toMatchObject(facts);
    },
  );

  it('gives the same model for the same place, key and way of fetching, and another for any other', async () => {
    const ask = async (reference: string, env: Record<string, string>, fetch = noNetwork.fetch) =>
      (await openModel(reference, { env, fetch })).languageModel;
    const one = await ask('anthropic', KEYS);
    expect(await ask('anthropic', KEYS)).toBe(one);
    const others = [
      await ask('claude-opus-5-5', KEYS),
      await ask('anthropic', { ...KEYS, ANTHROPIC_API_KEY: 'b' }),
      await ask('anthropic', { ...KEYS, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/v1' }),
      await ask('anthropic', KEYS, () => Promise.reject(new Error('another network'))),
    ];
    expect(new Set([one, ...others]).size).toBe(5);
  });

  it('says which variable picked it', async () => {
    expect(await openModel(undefined, { env: { GEMINI_API_KEY: 'g' } })).toMatchObject({
      id: 'google:gemini-3.8-flash',
      pickedBy: 'GEMINI_API_KEY',
    });
  });

  it.each(PROTOCOLS)('the environment alone is enough to reach %s', async (protocol) => {
    await using server = await startWireServer(protocol, [reply('Here.')]);
    const model = await openModel(undefined, { env: server.env });
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    expect((await generate({ model, messages, maxOutputTokens: 9, timeoutMs: 5_000 })).text).toBe('Here.');
    expect(model.pickedBy).toBe('THROUGHLINE_MODEL');
  });

  it('reads its own environment and not that of the process', async () => {
    await using server = await startWireServer('anthropic', [reply('Here.')]);
    await expect(openModel('anthropic', { env: {} })).rejects.toMatchObject({ code: 'model-not-configured' });
    const model = await openModel('anthropic', { env: { ANTHROPIC_API_KEY: 'mine' }, baseUrl: server.url });
    await generate({
      model,
      messages: [{ role: 'user', content: 'Hi' }],
      maxOutputTokens: 9,
      timeoutMs: 5_000,
    });
    expect(server.requests[0]!.headers['x-api-key']).toBe('mine');
  });

  it('does not send a key of OpenAI to a typed address', async () => {
    await using server = await startWireServer('openai-chat', [reply('Here.')]);
    const env = { OPENAI_API_KEY: 'precious' };
    const model = await openModel(`compatible:m@${server.url}`, { env });
    await generate({
      model,
      messages: [{ role: 'user', content: 'Hi' }],
      maxOutputTokens: 9,
      timeoutMs: 5_000,
    });
    expect(server.requests[0]!.headers).not.toHaveProperty('authorization');
  });
});

describe('a server that is named without a model', () => {
  it.each(['ollama', 'openai-chat'] as const)('is asked which it has: %s', async (protocol) => {
    await using server = await startWireServer(protocol, [], { models: ['newest', 'older'] });
    const provider = protocol === 'ollama' ? 'ollama' : 'compatible';
    expect(await openModel(provider, { env: server.env })).toMatchObject({ id: `${provider}:newest` });
  });

  it('and has none is an error that says how to get one', async () => {
    await using server = await startWireServer('ollama', [], { models: [] });
    await expect(openModel('ollama', { env: server.env })).rejects.toMatchObject({
      code: 'model-unknown',
      message: expect.stringContaining('ollama pull'),
    });
  });

  it('and is not there is an error that says how to start it', async () => {
    const server = await startWireServer('ollama');
    await server[Symbol.asyncDispose]();
    await expect(openModel('ollama', { env: server.env })).rejects.toMatchObject({
      code: 'model-failed',
      message: expect.stringMatching(
        /^Ollama cannot be reached at http:\/\/127\.0\.0\.1:\d+: .*ollama serve/,
      ),
    });
  });
});

describe('loaded modules', () => {
  const door = pathToFileURL('src/models/index.ts').href;
  function loadedBy(does: string): string[] {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ resolve(name, context, next) { loaded.push(name); return next(name, context); } });
      const { openModel } = await import('${door}');
      ${does};
      console.log(JSON.stringify(loaded.filter((name) => /^(?:ai|@ai-sdk\\/(?:anthropic|openai|google|openai-compatible))$/.test(name))));`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    return [...new Set(JSON.parse(out) as string[])];
  }

  it.each([
    { does: '', loaded: [], what: 'the door' },
    { does: `await openModel('offline', { env: {} })`, loaded: [], what: 'the offline model' },
    {
      does: `await openModel('anthropic', { env: { ANTHROPIC_API_KEY: 'k' } })`,
      loaded: ['@ai-sdk/anthropic'],
      what: 'a model of Anthropic',
    },
    {
      does: `await openModel('ollama:m', { env: {} })`,
      loaded: ['@ai-sdk/openai-compatible'],
      what: 'a model of Ollama',
    },
  ])('of $what: $loaded', ({ does, loaded }) => {
    expect(loadedBy(does)).toEqual(loaded);
  });
});
