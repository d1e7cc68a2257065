import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { user } from '../../src/testing/index.ts';
import { type Library, openLibrary } from './library.ts';

// Above some tens of thousands of messages not everything that matches is ranked; what is found must not suffer.
const SESSIONS = 60;
const IN_EACH = 1000;

describe('in a large index', () => {
  let library: Library;

  beforeAll(async () => {
    library = await openLibrary({ embedder: 'none' });
    for (let session = 0; session < SESSIONS; session++) {
      const entries = Array.from({ length: IN_EACH }, (_, n) => ({
        body: user(lineAt(session * IN_EACH + n)),
      }));
      await library.store.create({ id: `s${session}`, createdAt: session + 1 }, entries);
    }
    await library.recall.catchUp();
  });
  afterAll(() => library[Symbol.asyncDispose]());

  /** "common" everywhere, "frequent" in every second message, "seldom" in every thousandth, numbers in one. */
  function lineAt(n: number): string {
    const rare = n % 1000 === 7 ? ' seldom' : '';
    const both = n === 30_007 ? ' frequent seldom indeed' : '';
    if (n === 30_009) return 'walrus common words carpenter';
    if (n === 40_009) return 'carpenter common words walrus';
    return `common words n${n} identifier${n * 7919}of${n * 104_729}${n % 2 === 0 ? ' frequent' : ''}${rare}${both}`;
  }

  it('one message among all is found', async () => {
    expect(await library.find('n45678')).toEqual(['s45:679']);
    expect(await library.find('common n45678')).toContain('s45:679');
  });

  it('a rare word finds all that have it', async () => {
    expect(await library.find('seldom', { limit: 100 })).toHaveLength(SESSIONS);
  });

  it('a word in every message finds the newest', async () => {
    expect((await library.find('common', { limit: 3 })).sort()).toEqual(
      ['s59:1000', 's59:998', 's59:999'].sort(),
    );
  });

  it('a common word lifts the messages that also have the rare one', async () => {
    expect((await library.find('seldom frequent'))[0]).toBe('s30:8');
  });

  it.each([
    ['walrus common words carpenter', 's30:10'],
    ['carpenter common words walrus', 's40:10'],
  ])('"%s" is first where it stands word for word', async (line, place) => {
    expect((await library.recall.search(line)).map(({ session, seq }) => `${session}:${seq}`)[0]).toBe(place);
  });

  it('common words alone find messages that have all of them', async () => {
    const hits = await library.recall.search('common frequent', { limit: 10 });
    expect(hits.every(({ snippet }) => snippet.includes('**frequent**'))).toBe(true);
  });

  it('a phrase is exact, rare or not', async () => {
    expect(await library.find('"frequent seldom indeed"')).toEqual(['s30:8']);
    expect(await library.find('"common words n12"')).toEqual(['s0:13']);
    expect(await library.find('"words common"')).toEqual([]);
  });

  it('a prefix finds', async () => {
    expect(await library.find('seld*', { limit: 100 })).toHaveLength(SESSIONS);
  });

  it('a prefix of nearly everything finds the newest, wherever it is looked for', async () => {
    expect(await library.find('identif*', { limit: 2 })).toEqual(['s59:1000', 's59:999']);
    expect(await library.find('identif*', { session: 's3', limit: 2 })).toEqual(['s3:1000', 's3:999']);
    expect(await library.find('identif*', { role: 'tool' })).toEqual([]);
    expect((await library.find('identif* seldom'))[0]).toBe('s30:8');
    expect(await library.find(`identifier${7919 * 5}of*`)).toEqual(['s0:6']);
  });

  it('as many are found as are asked for', async () => {
    expect(await library.find('"common words"', { limit: 3_000 })).toHaveLength(3_000);
    expect(await library.find('seldom', { limit: 3_000 })).toHaveLength(SESSIONS);
  });

  it('a filter applies before the best are taken', async () => {
    expect(await library.find('seldom', { session: 's3' })).toEqual(['s3:8']);
    expect(await library.find('common', { session: 's3', limit: 2 })).toEqual(['s3:1000', 's3:999']);
    const within = [{ session: 's4', from: 5, to: 6 }];
    expect((await library.find('common', { within })).sort()).toEqual(['s4:5', 's4:6']);
  });
});
