import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openEmbedding } from '../../src/models/index.ts';
import { fromEmbeddingModel, openRecall, type RecallOptions } from '../../src/search/index.ts';
import { user } from '../../src/testing/index.ts';
import { type EmbeddingServer, startEmbeddingServer } from './embedding-server.ts';
import { openFileLibrary, openLibrary } from './library.ts';

const MODEL = 'openai:text-embedding-3-small';

/** Waits for an answer however slow the machine is, and hardly at all for one that never comes. */
async function embedderAt(server: EmbeddingServer): Promise<Required<Pick<RecallOptions, 'embedder'>>> {
  const { embeddingModel, id } = await openEmbedding(MODEL, { env: server.env });
  const waiting = (timeoutMs: number) => fromEmbeddingModel(embeddingModel, { name: id, timeoutMs });
  const [patient, impatient] = [waiting(600_000), waiting(50)];
  const embed: typeof patient.embed = (texts) => (server.mood === 'hangs' ? impatient : patient).embed(texts);
  return { embedder: { name: id, embed } };
}

describe("a provider's embeddings over the wire", () => {
  it('find messages by meaning', async () => {
    await using server = await startEmbeddingServer();
    await using library = await openLibrary(await embedderAt(server));
    await library.write('a', user('The sail was torn'), user('We stayed in the harbour'));
    await library.write('b', user('The engine would not start'));
    expect(await library.find('vehicles', { by: 'meaning', limit: 1 })).toEqual(['b:1']);
    expect((await library.recall.stats()).embedder).toBe(MODEL);
    expect(server.requests[0]).toEqual({
      key: `Bearer ${server.key}`,
      model: 'text-embedding-3-small',
      texts: ['The sail was torn', 'We stayed in the harbour'],
    });
  });

  it('are asked once for each message, and never see redacted text', async () => {
    await using server = await startEmbeddingServer();
    const redact = (text: string) => text.replaceAll('hunter2', '[secret]');
    await using library = await openLibrary({ ...(await embedderAt(server)), redact });
    for (let n = 0; n < 3; n++) await library.write('a', user(`ship ${n} hunter2`));
    await library.recall.catchUp();
    expect(server.requests.flatMap(({ texts }) => texts)).toEqual([0, 1, 2].map((n) => `ship ${n} [secret]`));
  });

  it('have a separate index, so that a program with other ones does not empty it', async () => {
    await using server = await startEmbeddingServer();
    await using library = await openFileLibrary();
    await library.write('a', user('The sail was torn'));
    const asked = () => server.requests.length;
    for (let round = 0; round < 2; round++) {
      await using recall = await openRecall(library.store, await embedderAt(server));
      await recall.catchUp();
      await library.recall.catchUp();
    }
    expect(asked()).toBe(1);
    expect(
      readdirSync(library.folder)
        .filter((file) => file.endsWith('.db'))
        .sort(),
    ).toEqual(['store.db', 'store.index-openai-text-embedding-3-small.db', 'store.index.db']);
  });
});

describe('words are found', () => {
  it.each(['fails', 'hangs', 'answers too little'] as const)('when the provider %s', async (mood) => {
    await using server = await startEmbeddingServer();
    server.mood = mood;
    const failures: unknown[] = [];
    await using library = await openLibrary({
      ...(await embedderAt(server)),
      onEmbedderFailure: (error) => failures.push(error),
    });
    await library.store.create({ id: 'a' }, [{ body: user('The sail was torn') }]);
    expect(await library.recall.catchUp()).toMatchObject({ messages: 1, withoutMeaning: 1 });
    expect(await library.find('sail')).toEqual(['a:1']);
    expect(failures.length).toBeGreaterThan(0);

    server.mood = 'answers';
    expect(await library.recall.catchUp()).toMatchObject({ messages: 0, withoutMeaning: 0 });
    expect(await library.find('ships', { by: 'meaning' })).toEqual(['a:1']);
  });

  it('though the provider is asked about thousands of messages, and fails at the first', async () => {
    await using server = await startEmbeddingServer();
    server.mood = 'fails';
    await using library = await openLibrary(await embedderAt(server));
    const entries = Array.from({ length: 2_500 }, (_, n) => ({ body: user(`ship number ${n}`) }));
    await library.store.create({ id: 'a' }, entries);
    expect(await library.recall.catchUp()).toMatchObject({ messages: 2_500, withoutMeaning: 2_500 });
    expect(server.requests.length).toBe(1);
  });
});

describe('opening an embedding model', () => {
  it.each([
    { reference: 'openai', id: 'openai:text-embedding-3-small' },
    { reference: 'google', id: 'google:gemini-embedding-001' },
    { reference: 'ollama:nomic-embed-text', id: 'ollama:nomic-embed-text' },
    { reference: 'compatible:bge@http://127.0.0.1:1/v1', id: 'compatible:bge@http://127.0.0.1:1/v1' },
  ])('"$reference" gives $id and makes no call', async ({ reference, id }) => {
    const env = { OPENAI_API_KEY: 'o', GEMINI_API_KEY: 'g' };
    const fetch = () => Promise.reject(new Error('no network'));
    expect(await openEmbedding(reference, { env, fetch })).toMatchObject({ id });
  });

  it.each([
    { reference: 'anthropic', code: 'model-unknown' },
    { reference: 'offline', code: 'model-unknown' },
    { reference: 'ollama', code: 'model-unknown' },
    { reference: 'text-embedding-3-small', code: 'model-unknown' },
    { reference: 'openai', code: 'model-not-configured' },
  ])('"$reference" is $code without more', async ({ reference, code }) => {
    await expect(openEmbedding(reference, { env: {} })).rejects.toMatchObject({ code });
  });
});
