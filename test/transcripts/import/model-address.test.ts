import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReference, rememberedReference } from '../../../src/models/index.ts';
import type { Settings } from '../../../src/record/index.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { setting, user } from '../../../src/testing/index.ts';
import { readPi } from '../../../src/transcripts/formats/pi/read.ts';
import { readThroughline } from '../../../src/transcripts/formats/throughline/read.ts';
import { writeThroughline } from '../../../src/transcripts/formats/throughline/write.ts';
import { importFound } from '../../../src/transcripts/import/import-found.ts';
import { textSource } from '../../../src/transcripts/source/open-source.ts';
import { exportText, hashes, logOfSession } from '../transfer.ts';

const ADDRESS = 'compatible:x@http://127.0.0.1:9/v1';

interface Names {
  readonly provider: string;
  readonly model: string;
}

/** A file with a session that is set to these models, one after the other. */
type Write = (models: readonly Names[]) => Promise<string>;

const FORMATS = {
  throughline: {
    reader: readThroughline,
    async write(models: readonly Names[]) {
      const store = createMemoryStore();
      const settings = models.flatMap(({ provider, model }) => [
        { body: setting('provider', provider) },
        { body: setting('model', model) },
      ]);
      await store.create({ id: 's', createdAt: 5 }, [{ body: user('one') }, ...settings]);
      return exportText(store, 's', writeThroughline);
    },
  },
  pi: {
    reader: readPi,
    async write([first, ...others]: readonly Names[]) {
      const timestamp = '2026-01-01T00:00:00.000Z';
      const header = { type: 'session', version: 3, id: 's', timestamp, cwd: '/home/vera' };
      const message = { role: 'user', content: 'one', timestamp: 1 };
      const changes = others.map(({ provider, model }, index) => {
        const place = { id: `c${index}`, parentId: index === 0 ? 'm' : `c${index - 1}`, timestamp };
        return { type: 'model_change', ...place, provider, modelId: model };
      });
      return [
        { ...header, ...(first && { provider: first.provider, modelId: first.model }) },
        { type: 'message', id: 'm', parentId: null, timestamp, message },
        ...changes,
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join('');
    },
  },
} as const satisfies Record<string, { reader: unknown; write: Write }>;

type Format = keyof typeof FORMATS;

async function bring(store: Store, format: Format, text: string, { trusted = false } = {}) {
  const source = textSource(text, { changedAt: 1, name: 'file' });
  const found = FORMATS[format].reader(source);
  const [report] = await importFound(store, found, { format, file: 'file', trusted });
  return report!;
}

async function settingsIn(store: Store): Promise<Settings> {
  return (await store.session('s'))!.state.settings;
}

/** Pieces that make an address where they meet. */
const anyName = fc
  .array(
    fc.constantFrom(
      'compatible',
      'openai-compatible',
      ':',
      'x',
      '@http',
      '@https',
      '://',
      '//',
      'evil/v1',
      ' ',
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((pieces) => pieces.join(''));
/** An address that is cut in two, and put together by the colon between provider and model. */
const anyCut = fc
  .tuple(fc.nat(ADDRESS.length), fc.boolean())
  .map(([at, drop]) => ({ provider: ADDRESS.slice(0, at), model: ADDRESS.slice(drop ? at + 1 : at) }));
const anyNames = fc.oneof(
  fc.record({ provider: fc.oneof(fc.constant('compatible'), anyName), model: anyName }),
  anyCut,
);

function addressIn(settings: Settings): string | undefined {
  try {
    return parseReference(rememberedReference(settings) ?? '').baseUrl;
  } catch {
    return undefined;
  }
}

describe.each(Object.keys(FORMATS) as Format[])('the model in a file of the format %s', (format) => {
  const { write } = FORMATS[format];

  it('names no address, however provider and model are put together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyNames, { minLength: 1, maxLength: 3 }), async (models) => {
        const store = createMemoryStore();
        await bring(store, format, await write(models));
        expect(addressIn(await settingsIn(store))).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('is kept as a plain name', async () => {
    const store = createMemoryStore();
    const report = await bring(store, format, await write([{ provider: 'ollama', model: 'qwen3:8b@q4' }]));
    expect(report).not.toHaveProperty('settingsLeftOut');
    expect(rememberedReference(await settingsIn(store))).toBe('ollama:qwen3:8b@q4');
  });

  it.each([0, 1])('is left out with its address, shown and counted: after %s others', async (before) => {
    const plain = Array.from({ length: before }, () => ({ provider: 'compatible', model: 'y' }));
    const text = await write([...plain, { provider: 'compatible', model: ADDRESS.slice(11) }]);
    const store = createMemoryStore();
    const report = await bring(store, format, text);
    expect(report).toMatchObject({ settingsLeftOut: { model: 1 }, damage: 0 });
    const shown = (await logOfSession(store, 's')).flatMap(({ body }) =>
      body.kind === 'unknown' && body.was === 'setting-left-out' ? [body.value] : [],
    );
    expect(shown).toMatchObject([{ name: 'model', value: expect.stringContaining('@http://') }]);

    const first = await hashes(store);
    expect(await bring(store, format, text)).toMatchObject({ added: 0, settingsLeftOut: { model: 1 } });
    expect(await hashes(store)).toEqual(first);

    const vouched = await bring(store, format, text, { trusted: true });
    expect(vouched).toMatchObject({ added: 1 });
    expect(vouched).not.toHaveProperty('settingsLeftOut');
    expect(rememberedReference(await settingsIn(store))).toBe(ADDRESS);
    expect(await bring(store, format, text, { trusted: true })).toMatchObject({ added: 0 });
  });

  it('is taken with its address from a file that its owner vouches for', async () => {
    const store = createMemoryStore();
    const text = await write([{ provider: 'compatible', model: ADDRESS.slice(11) }]);
    await bring(store, format, text, { trusted: true });
    expect(rememberedReference(await settingsIn(store))).toBe(ADDRESS);
  });

  it('stays the newest one when an address before it is vouched for later', async () => {
    const store = createMemoryStore();
    const models = [
      { provider: 'compatible', model: ADDRESS.slice(11) },
      { provider: 'ollama', model: 'qwen3' },
    ];
    const text = await write(models);
    await bring(store, format, text);
    await bring(store, format, text, { trusted: true });
    expect(rememberedReference(await settingsIn(store))).toBe('ollama:qwen3');
  });
});
