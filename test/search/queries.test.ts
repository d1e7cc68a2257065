import { describe, expect, it } from 'vitest';
import { assistant, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { openLibrary } from './library.ts';

const LINES = [
  '数据库连接失败，请重试', // 1
  '東京タワーに行きました', // 2
  '서버에서 오류가 발생했습니다', // 3
  'see src/store/log.ts for the reason', // 4
  'store the log in src', // 5
  'rename foo_bar and fooBar', // 6
  'C++ is not C', // 7
  'pass --dry-run to it', // 8
  'it failed with ERR_SQLITE_ERROR 2067', // 9
  'we were running the migrations', // 10
  'Das Café öffnet um 8', // 11
  'ｆｕｌｌ　ｗｉｄｔｈ letters', // 12
  'हिन्दी में काम करता है', // 13
  '用React开发网页', // 14
  'Congrats🥳🧢party “quoted”', // 15
  'die Straße ist glatt', // 16
  'a soft\u00adhyphen and a zero\u200bwidth space', // 17
  'rows.map((row) => row.id) 🎉', // 18
];

describe('a search for', () => {
  it.each([
    { query: '连接', found: [1], why: 'two Chinese characters inside a run' },
    { query: '接', found: [1], why: 'a single one' },
    { query: '东京', found: [], why: 'other characters are other words' },
    { query: '東京', found: [2], why: 'two at the start of a run' },
    { query: 'タワー', found: [2], why: 'katakana with a long vowel' },
    { query: '서버', found: [3], why: 'a Korean word with its particle' },
    { query: '오류', found: [3], why: 'and another one' },
    { query: '"数据库连接"', found: [1], why: 'a phrase without spaces' },
    { query: 'src/store/log.ts', found: [4], why: 'a path, not its parts in another order' },
    { query: 'store/log', found: [4], why: 'a part of a path' },
    { query: '"foo_bar"', found: [6], why: 'a name with an underscore' },
    { query: 'fooBar', found: [6], why: 'a name in camel case' },
    { query: 'C++', found: [7], why: 'a name with signs' },
    { query: '"--dry-run"', found: [8], why: 'a flag' },
    { query: 'ERR_SQLITE_ERROR', found: [9], why: 'an error code' },
    { query: '2067', found: [9], why: 'a number' },
    { query: 'migrat*', found: [10], why: 'the start of a word' },
    { query: 'migration', found: [10], why: 'another form of an English word' },
    { query: '"migration"', found: [], why: 'in quotes only this form' },
    { query: 'cafe', found: [11], why: 'a word without its accent' },
    { query: '"full width"', found: [12], why: 'ordinary letters for wide ones' },
    { query: 'हिन्दी', found: [13], why: 'a word whose vowels are marks' },
    { query: 'react', found: [14], why: 'a Latin word between Chinese ones' },
    { query: '开发', found: [14], why: 'the Chinese word behind it' },
    { query: 'congrats', found: [15], why: 'a word with an emoji stuck to it' },
    { query: 'strasse', found: [16], why: 'a sharp s written as two' },
    { query: '"STRASSE"', found: [16], why: 'and in capitals' },
    { query: 'straße', found: [16], why: 'and as it is' },
    { query: 'softhyphen', found: [17], why: 'a word with a hyphen that is not seen' },
    { query: '"zerowidth"', found: [17], why: 'or a space that is not' },
    { query: '"=>"', found: [18], why: 'signs in quotes' },
    { query: '=>', found: [18], why: 'signs without them' },
    { query: '🎉', found: [18], why: 'an emoji' },
    { query: '"🎉" "=>"', found: [18], why: 'both' },
    { query: '"<=>"', found: [], why: 'other signs' },
    { query: '"🥳🧢party"', found: [15], why: 'and the emoji with the word' },
  ])('$query finds $found: $why', async ({ query, found }) => {
    await using library = await openLibrary();
    await library.write('s', ...LINES.map((line) => user(line)));
    expect(await library.find(query, { by: 'words' })).toEqual(found.map((seq) => `s:${seq}`));
  });
});

it('reads the newest messages in scope for signs, and no more than two thousand', async () => {
  await using library = await openLibrary({ embedder: 'none' });
  await library.write('old', { at: 1, body: user('a -> b') });
  await library.write(
    'new',
    ...Array.from({ length: 2000 }, (_, at) => ({ at: at + 2, body: user(at === 3 ? 'c -> d' : 'nothing') })),
  );
  expect(await library.find('"->"')).toEqual(['new:4']);
  expect(await library.find('"->"', { session: 'old' })).toEqual(['old:1']);
});

it('ranks messages by how much of the query they hold, and requires none of it', async () => {
  await using library = await openLibrary();
  await library.write('one', user('the blue whale sings'));
  await library.write('two', user('a blue car'));
  await library.write('three', user('nothing of the sort'));
  expect(await library.find('blue whale song', { by: 'words' })).toEqual(['one:1', 'two:1']);
});

it('finds parts of a camel case name, and the whole by its parts', async () => {
  await using library = await openLibrary();
  await library.write('s', assistant('call openSqliteStore first'));
  expect(await library.find('sqlite store', { by: 'words' })).toEqual(['s:1']);
});

it('looks into tool calls, tool results, large values and file names, not into reasoning', async () => {
  await using library = await openLibrary();
  const long = `${'padding '.repeat(6_000)} needle in the middle ${'padding '.repeat(6_000)}`;
  await library.write(
    's',
    toolCall('bash', { command: 'grep -rn zebra', nested: [{ deep: 'giraffe' }] }),
    toolResult('bash', long),
    toolResult('json', { rows: [{ name: 'okapi' }] }),
    user([{ type: 'file', filename: 'elephant.pdf', mediaType: 'application/pdf', data: 'AAAA' }]),
    assistant('done', { reasoning: 'secretly thinking of rhinos' }),
  );
  for (const [query, seq] of [
    ['zebra', 1],
    ['giraffe', 1],
    ['needle', 2],
    ['okapi', 3],
    ['elephant.pdf', 4],
  ] as const)
    expect([query, await library.find(query, { by: 'words' })]).toEqual([query, [`s:${seq}`]]);
  expect(await library.find('rhinos', { by: 'words' })).toEqual([]);
});

it('falls back on the parts of a path that is nowhere as a whole', async () => {
  await using library = await openLibrary();
  await library.write('s', user('the log lies in the store'));
  expect(await library.find('store/log.txt')).toEqual(['s:1']);
});

describe('hostile queries', () => {
  const QUERIES = [
    '',
    ' ',
    '"',
    '""',
    '"""',
    '*',
    '**',
    'AND',
    'OR NOT',
    'NEAR(a b)',
    'text:x',
    '^x',
    '(',
    ')',
    '{a b}:c',
    "'; drop table words; --",
    'a\u0000b',
    '\ud800',
    '"\ud800"',
    '-',
    '--',
    '"++"',
    '“”',
    'x'.repeat(100_000),
    'word '.repeat(20_000),
    `"${'long '.repeat(20_000)}"`,
    '数'.repeat(50_000),
    '"'.repeat(999),
    '* *',
    'a*b*',
    '"a*"',
    '\\',
    '%_',
    '🎉',
    '👩‍👩‍👧',
  ];
  it.each(QUERIES.map((query) => ({ query, name: query.slice(0, 20) })))(
    'answers $name',
    async ({ query }) => {
      await using library = await openLibrary();
      await library.write('s', user('an ordinary message'), user('🎉 party 数'));
      for (const by of ['both', 'words', 'meaning'] as const)
        expect(Array.isArray(await library.find(query, { by }))).toBe(true);
    },
  );

  it('shows the newest messages for no query at all', async () => {
    await using library = await openLibrary();
    await library.write(
      's',
      { at: 1, body: user('old') },
      { at: 3, body: user('new') },
      { at: 2, body: user('middle') },
    );
    expect(await library.find('')).toEqual(['s:2', 's:3', 's:1']);
  });
});
