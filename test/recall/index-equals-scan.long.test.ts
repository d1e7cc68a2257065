import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openRecall } from '../../src/recall/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, conversation, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { openLibrary } from './library.ts';

const WORDS = [
  'run',
  'running',
  'runs',
  'Log',
  'logs',
  'store',
  'Café',
  'naïve',
  'über',
  'поиск',
  'E1234',
  '42',
  'x',
];
const NAMES = ['src/store/log.ts', 'foo_bar', '--dry-run', 'C++', 'C#', 'openSqliteStore', 'a.b.c', "don't"];
const UNSPACED = [
  '数据库',
  '数据',
  '库',
  '連接',
  'テスト',
  'ひらがな',
  '서버',
  '서버에서',
  '用React开发',
  'สวัสดี',
];
const token = fc.constantFrom(...WORDS, ...NAMES, ...UNSPACED);
const gap = fc.constantFrom(' ', ' ', ' ', '\n', ', ', '. ', ': ', ' (', ') ', '');

const text = fc
  .array(fc.tuple(token, gap), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.map(([word, after]) => word + after).join(''));
const message = fc.tuple(text, fc.constantFrom('user', 'assistant', 'call', 'result')).map(([said, kind]) => {
  if (kind === 'user') return { said, body: user(said) };
  if (kind === 'assistant') return { said, body: assistant(said) };
  return { said, body: kind === 'call' ? toolCall('t', { argument: said }) : toolResult('t', said) };
});
const sessions = fc.array(fc.array(message, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 });
const phrase = fc.array(token, { minLength: 1, maxLength: 2 }).map((words) => words.join(' '));

/** What somebody who reads every message would say: the words are there, in a row, whole. */
function holds(said: string, wanted: string): boolean {
  const plain = (value: string) =>
    value
      .toLowerCase()
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
      .replace(/\s+/g, ' ');
  const unspaced =
    '\\p{Script=Han}\\p{Script=Katakana}\\p{Script=Hiragana}\\p{Script=Hangul}\\p{Script=Thai}ー';
  const letter = `(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])`;
  const edges = (inner: string) =>
    `${new RegExp(`^${letter}`, 'u').test(plain(wanted)) ? `(?<!${letter})` : ''}${inner}${new RegExp(`${letter}$`, 'u').test(plain(wanted)) ? `(?!${letter})` : ''}`;
  return new RegExp(edges(RegExp.escape(plain(wanted).trim())), 'u').test(plain(said));
}

it('finds in quotes what a reader of every message would find, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(sessions, phrase, async (talks, wanted) => {
      await using store = createMemoryStore();
      const expected: string[] = [];
      for (const [index, talk] of talks.entries()) {
        await store.create({ id: `s${index}` }, conversation(...talk.map(({ body }) => body)));
        for (const [at, { said }] of talk.entries())
          if (holds(said, wanted)) expected.push(`s${index}:${at + 1}`);
      }
      await using recall = await openRecall(store);
      await recall.catchUp();
      const hits = await recall.search(`"${wanted}"`, { limit: 100 });
      expect(hits.map(({ session, seq }) => `${session}:${seq}`).sort()).toEqual(expected.sort());
    }),
    { numRuns: 150 },
  );
});

it('finds without quotes every message that holds the word', async () => {
  await fc.assert(
    fc.asyncProperty(sessions, token, async (talks, wanted) => {
      await using library = await openLibrary({ embedder: 'none' });
      const expected: string[] = [];
      for (const [index, talk] of talks.entries()) {
        await library.write(`s${index}`, ...talk.map(({ body }) => body));
        for (const [at, { said }] of talk.entries())
          if (holds(said, wanted)) expected.push(`s${index}:${at + 1}`);
      }
      const found = new Set(await library.find(wanted, { limit: 100 }));
      expect(expected.filter((place) => !found.has(place))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
