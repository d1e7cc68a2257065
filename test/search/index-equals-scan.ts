import fc from 'fast-check';
import { expect } from 'vitest';
import { user } from '../../src/testing/index.ts';
import { openLibrary } from './library.ts';
import { type Said, scan, talks, token } from './scan-logs.ts';

const phrase = fc.array(token, { minLength: 1, maxLength: 2 }).map((words) => words.join(' '));

/** In quotes the index finds what a reader of every message finds, and nothing else. */
export async function expectQuotesEqualScan(runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(talks, phrase, async (sessions, wanted) => {
      await using library = await openLibrary();
      await write(library, sessions);
      const found = await library.find(`"${wanted}"`, { limit: 100 });
      expect(found.sort()).toEqual(scan(sessions, wanted).sort());
    }),
    { numRuns: runs },
  );
}

/** Without quotes it finds all of that, and other forms of the word beside it. */
export async function expectWordsCoverScan(runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(talks, token, async (sessions, wanted) => {
      await using library = await openLibrary({ embedder: 'none' });
      await write(library, sessions);
      const found = new Set(await library.find(wanted, { limit: 100 }));
      expect(scan(sessions, wanted).filter((place) => !found.has(place))).toEqual([]);
    }),
    { numRuns: runs },
  );
}

const anyWord = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .map((text) => text.replace(/["“”\s\0]/g, ''))
  .filter((text) => /[\p{L}\p{N}]/u.test(text));

/** Whatever script it is written in, and whatever signs stick to it. */
export async function expectAnyWordFound(runs: number): Promise<void> {
  const words = fc.array(anyWord, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(words, fc.nat(4), async (said, pick) => {
      await using library = await openLibrary({ embedder: 'none' });
      await library.write('s', user(said.join(' ')));
      expect(await library.find(`"${said[pick % said.length]}"`)).toEqual(['s:1']);
    }),
    { numRuns: runs },
  );
}

async function write(
  library: Awaited<ReturnType<typeof openLibrary>>,
  sessions: readonly (readonly Said[])[],
): Promise<void> {
  for (const [index, said] of sessions.entries())
    await library.write(`s${index}`, ...said.map(({ body }) => body));
}
