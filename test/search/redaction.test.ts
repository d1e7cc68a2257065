import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EntryBody, newEntryId } from '../../src/record/index.ts';
import { assistant, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { dumpIndex } from './dump-index.ts';
import { type FileLibrary, openFileLibrary } from './library.ts';

const redact = (text: string) => text.replace(/hunter2\w*|sk-[a-z0-9]+/gi, '[secret]');

/** Every byte that the index has on the disk. */
function indexBytes({ indexFile }: FileLibrary): string {
  return [indexFile, `${indexFile}-wal`].map((file) => readFileSync(file).toString('latin1')).join('');
}

it('never finds or shows redacted text, and has none of it in its file', async () => {
  await using library = await openFileLibrary({ redact });
  await library.write(
    's',
    user('my password is hunter2zz, remember', { meta: { speaker: 'Hunter2y' } }),
    toolCall('login', { path: 'keys/hunter2x.txt', key: 'sk-abc123' }),
    toolResult('login', `${'log line '.repeat(5000)} token sk-abc123 accepted`),
  );
  for (const query of ['hunter2zz', 'hunter*', '"sk-abc123"', 'abc123', '"hunter2x.txt"'])
    expect([query, await library.find(query, { by: 'words' })]).toEqual([query, []]);
  const hits = await library.recall.search('password login token', { neighbours: 2 });
  expect(hits.length).toBeGreaterThan(0);
  expect(JSON.stringify(hits)).not.toMatch(/hunter2|abc123/i);
  expect(indexBytes(library)).not.toMatch(/hunter2|abc123/i);
  expect(await library.find('secret', { by: 'words' })).toHaveLength(3);
});

it('keeps no part of a path that is a secret only in its place', async () => {
  const cut = (text: string) => text.replace(/token=\S+/g, 'token=[secret]');
  await using library = await openFileLibrary({ redact: cut });
  await library.write('s', toolCall('bash', { command: 'curl -d token=quokka/zebra.txt && cat src/a.ts' }));
  expect(indexBytes(library)).not.toMatch(/quokka|zebra/);
  expect(await library.find('', { file: 'src/a.ts' })).toEqual(['s:1']);
});

describe('an index of logs with secrets', () => {
  const words = fc.constantFrom(
    'the',
    'key',
    'we decided to use',
    'is',
    'in src/store/log.ts',
    'password',
    '数据',
  );
  // Nothing that a file of SQLite's may hold anyway, such as a word of its schema.
  const secret = fc.stringMatching(/^[a-z]{3}[1-9]{6}[a-z]{3}$/).map((end) => `sk-q7z${end}`);
  const text = fc
    .array(fc.oneof(words, words, secret), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join(' '));
  const kind = fc.constantFrom('user', 'assistant', 'call', 'result', 'large');

  function bodyOf(said: string, as: string): EntryBody {
    if (as === 'user') return user(said, { meta: { speaker: said.slice(0, 40) } });
    if (as === 'assistant') return assistant(said);
    if (as === 'call') return toolCall('edit', { path: 'src/store/log.ts', text: said });
    return toolResult('read', as === 'large' ? `${said} ${'and so on '.repeat(4000)} ${said}` : said);
  }

  it('is the index of the same logs without them', async () => {
    const log = fc.array(fc.tuple(text, kind), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(log, async (said) => {
        const entries = said.map(([, as], at) => ({ id: newEntryId(), at: 1000 + at, as }));
        const dumps = [];
        for (const [options, clean] of [
          [{ redact }, String],
          [{}, redact],
        ] as const) {
          await using library = await openFileLibrary(options);
          await library.store.create({ id: 's', createdAt: 1 });
          await library.write(
            's',
            ...entries.map(({ id, at, as }, index) => ({ id, at, body: bodyOf(clean(said[index]![0]), as) })),
          );
          dumps.push(dumpIndex(library.indexFile));
          if (!('redact' in options)) continue;
          const secrets = said.flatMap(([one]) => one.match(/sk-[a-z0-9]+/g) ?? []);
          const bytes = indexBytes(library);
          for (const one of secrets) {
            expect(bytes.includes(one.slice(3))).toBe(false);
            expect(await library.find(one)).toEqual([]);
          }
        }
        expect(dumps[0]).toEqual(dumps[1]);
      }),
      { numRuns: 12 },
    );
  });
});
