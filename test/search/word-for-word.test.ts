import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistant, toolResult, user } from '../../src/testing/index.ts';
import { openLibrary } from './library.ts';

const LINE = "src/store/log.ts:41:7 - error TS2345: Argument of type 'string' is not assignable";

describe('a message that holds the query word for word', () => {
  it('comes before every message that only resembles it', async () => {
    await using library = await openLibrary();
    await library.write(
      's',
      ...Array.from({ length: 6 }, () => assistant('store log error: the argument of this type, a string')),
      toolResult('bash', `3 files checked\n${LINE}\nFound 1 error.`),
      ...Array.from({ length: 6 }, () => user('is the type of the error assignable to a string argument?')),
    );
    for (const by of ['both', 'words'] as const)
      expect((await library.find(LINE, { by, limit: 3 }))[0]).toBe('s:7');
  });

  it('is first wherever it stands, whatever is said around it', async () => {
    const word = fc.constantFrom(
      'red',
      'blue',
      'whale',
      'src/a.ts',
      'the',
      'of',
      '42',
      '--dry-run',
      '数据库',
    );
    const words = fc.array(word, { minLength: 3, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(words, fc.array(words, { maxLength: 8 }), fc.nat(8), async (line, others, at) => {
        await using library = await openLibrary();
        const texts = others.map((other) => other.join(' '));
        texts.splice(Math.min(at, texts.length), 0, `so: ${line.join(' ')}.`);
        await library.write('s', ...texts.map((text) => user(text)));
        const [first] = await library.find(line.join(' '));
        const seq = Number(first!.split(':')[1]);
        expect(texts[seq - 1]).toContain(line.join(' '));
      }),
      { numRuns: 30 },
    );
  });

  it('is found by any of the lines of a paste, the more of them the better', async () => {
    await using library = await openLibrary();
    await library.write(
      's',
      toolResult('bash', 'TypeError: fetch failed\nunrelated'),
      toolResult('bash', 'TypeError: fetch failed\nat connect (net.js:12:3)'),
    );
    expect(await library.find('TypeError: fetch failed\nat connect (net.js:12:3)')).toEqual(['s:2', 's:1']);
  });
});

it('finds the parts of a name that stands among other words', async () => {
  await using library = await openLibrary({ embedder: 'none' });
  await library.write('s', user('the store has a log'), user('nothing of the kind'));
  expect((await library.find('broken since src/store/log.ts'))[0]).toBe('s:1');
  expect(await library.find('src/store/log.ts')).toEqual(['s:1']);
});

it('prefers what follows a match to what comes before it, and one match to many turns that resemble it', async () => {
  await using library = await openLibrary();
  await library.write(
    's',
    user('completely different matters'),
    user('where does the heron build its nest'),
    assistant('over there, as last year'),
  );
  const [match, after] = await library.find('heron nest');
  expect([match, after]).toEqual(['s:2', 's:3']);
});
