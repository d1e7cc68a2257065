import fc from 'fast-check';
import type { EntryBody } from '../../src/record/index.ts';
import { assistant, toolCall, toolResult, user } from '../../src/testing/index.ts';

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

/** A word, a name or a word of an unspaced script. */
export const token = fc.constantFrom(...WORDS, ...NAMES, ...UNSPACED);
const gap = fc.constantFrom(' ', ' ', ' ', '\n', ', ', '. ', ': ', ' (', ') ', '');

const text = fc
  .array(fc.tuple(token, gap), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.map(([word, after]) => word + after).join(''));

export interface Said {
  readonly said: string;
  readonly body: EntryBody;
}

const message: fc.Arbitrary<Said> = fc
  .tuple(text, fc.constantFrom('user', 'assistant', 'call', 'result'))
  .map(([said, kind]) => {
    if (kind === 'user') return { said, body: user(said) };
    if (kind === 'assistant') return { said, body: assistant(said) };
    return { said, body: kind === 'call' ? toolCall('t', { argument: said }) : toolResult('t', said) };
  });

/** Sessions full of words that are easily taken for each other. */
export const talks = fc.array(fc.array(message, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 3,
});

/** The places, as `session:seq`, where somebody who reads every message would find it. */
export function scan(sessions: readonly (readonly Said[])[], wanted: string): string[] {
  return sessions.flatMap((said, index) =>
    said.flatMap((one, at) => (holds(one.said, wanted) ? [`s${index}:${at + 1}`] : [])),
  );
}

/** The words are there, in a row, whole. */
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
  const begins = new RegExp(`^${letter}`, 'u').test(plain(wanted)) ? `(?<!${letter})` : '';
  const ends = new RegExp(`${letter}$`, 'u').test(plain(wanted)) ? `(?!${letter})` : '';
  return new RegExp(`${begins}${RegExp.escape(plain(wanted).trim())}${ends}`, 'u').test(plain(said));
}
