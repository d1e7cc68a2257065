import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isImportable, SETTINGS } from '../../../src/record/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import type { Reader } from '../../../src/transcripts/transcript.ts';
import { anyJson } from '../../record/arbitraries.ts';
import { importText } from '../transfer.ts';
import { readerOf, SAMPLES } from './samples.ts';

const OURS = Object.keys(SETTINGS).filter((name) => !isImportable(name));

/** Records of a foreign file with fields, and whole lines, that are named like settings of ours. */
const anyClaims = fc.array(fc.tuple(fc.constantFrom(...OURS, 'folder:/etc', 'shows:s'), anyJson), {
  minLength: 1,
  maxLength: 6,
});

function claiming(text: string, claims: readonly (readonly [string, unknown])[]): string {
  const lines = text.trimEnd().split('\n');
  const fields = Object.fromEntries(claims);
  const claimed = lines.map((line) => JSON.stringify({ ...fields, ...JSON.parse(line) }));
  const settings = claims.map(([name, value]) =>
    JSON.stringify({ type: 'setting', kind: 'setting', name, value, by: 'user' }),
  );
  return `${[...claimed, ...settings].join('\n')}\n`;
}

describe.each(SAMPLES.filter(({ name }) => name !== 'a long one'))(
  'a foreign file: $name ($format)',
  (sample) => {
    it('sets nothing that is not for transcripts to set', async () => {
      const reader = await readerOf(sample);
      await fc.assert(
        fc.asyncProperty(anyClaims, async (claims) => {
          const store = createMemoryStore();
          await importText(store, reader, claiming(sample.text, claims), { format: sample.format });
          const { sessions } = await store.list({ limit: 100, place: 'active' });
          expect(sessions.length).toBeGreaterThan(0);
          for (const { id } of sessions)
            for (const { body } of await store.read(id))
              if (body.kind === 'setting' && body.name !== 'source')
                expect(isImportable(body.name), body.name).toBe(true);
        }),
        { numRuns: 20 },
      );
    });
  },
);

it('a reader that gives a setting of ours is stopped before anything of it is written', async () => {
  const reader: Reader = async function* () {
    yield [
      { kind: 'session', key: 'k' },
      {
        kind: 'entry',
        id: '0198c0de-0000-7000-8000-000000000001',
        at: 1,
        body: { kind: 'setting', name: 'reserved', value: 'memory', by: 'user' },
      },
    ];
  };
  const store = createMemoryStore();
  await expect(importText(store, reader, '', { format: 'pi' })).rejects.toThrow(
    'bug: a reader set "reserved"',
  );
  const { sessions } = await store.list({ limit: 10, place: 'active' });
  expect(sessions.map(({ state }) => state.settings.reserved)).toEqual([undefined]);
});
