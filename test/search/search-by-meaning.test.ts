import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type Embedder, openRecall } from '../../src/search/index.ts';
import { assistant, setting, user } from '../../src/testing/index.ts';
import { vectorsOf } from './dump-index.ts';
import { openFileLibrary, openLibrary } from './library.ts';

const talk = [
  'My sister adopted a puppy from the shelter',
  'The quarterly invoice has to be paid by Friday',
  'We planted tomatoes and beans behind the house',
  'The car would not start this morning, the battery was dead',
];

describe('meaning', () => {
  it.each([
    { query: 'getting a new dog', first: 1 },
    { query: 'bills and money owed', first: 2 },
    { query: 'growing vegetables in the garden', first: 3 },
    { query: 'vehicle broke down', first: 4 },
  ])('finds "$query" in other words', async ({ query, first }) => {
    await using library = await openLibrary();
    for (const [index, line] of talk.entries()) await library.write(`s${index + 1}`, user(line));
    expect((await library.find(query))[0]).toBe(`s${first}:1`);
    expect((await library.find(query, { by: 'meaning' }))[0]).toBe(`s${first}:1`);
  });

  it('puts the message that has the very words before those that mean the like', async () => {
    await using library = await openLibrary();
    await library.write('a', user('an automobile with four doors'));
    await library.write('b', user('a car with four doors'));
    await library.write('c', user('a vehicle with four doors'));
    expect((await library.find('car'))[0]).toBe('b:1');
  });

  it('does not offer strangers for a word that nothing is like', async () => {
    await using library = await openLibrary();
    for (const [index, line] of talk.entries()) await library.write(`s${index + 1}`, user(line));
    expect(await library.find('xylophone')).toEqual([]);
  });
});

it('stays in few pieces however often it catches up, and others notice', async () => {
  await using library = await openFileLibrary();
  await using other = await openRecall(library.store);
  for (let n = 0; n < 150; n++) {
    await library.write('s', user(n === 70 ? 'My sister adopted a puppy' : `invoice ${n} was paid`));
    if (n % 40 === 0) expect(await other.search('money owed', { by: 'meaning' })).not.toEqual([]);
  }
  for (const recall of [library.recall, other])
    expect(
      (await recall.search('getting a new dog', { by: 'meaning', limit: 1 })).map(({ seq }) => seq),
    ).toEqual([71]);
  const db = new DatabaseSync(library.indexFile, { readOnly: true });
  expect(db.prepare('select count(*) as blocks from blocks').get()!.blocks).toBeLessThan(64);
  expect(vectorsOf(db).size).toBe(150);
  db.close();
});

it.each([
  {
    query: 'Datenbank Verbindung abgebrochen',
    lines: ['Die Verbindung zur Datenbank wurde abgebrochen', 'Das Wetter ist heute schön'],
  },
  {
    query: 'la connexion à la base de données',
    lines: ['Impossible : la connexion à la base a échoué', 'Il fait beau ici'],
  },
  { query: 'ошибка подключения к базе', lines: ['произошла ошибка подключения', 'сегодня хорошая погода'] },
  { query: '数据库连接失败', lines: ['数据库的连接失败了', '今天天气很好'] },
  { query: 'データベースの接続エラー', lines: ['データベースに接続できないエラー', '今日はいい天気です'] },
])('does for $query no worse than words alone', async ({ query, lines }) => {
  await using library = await openLibrary();
  for (const [index, line] of lines.entries()) await library.write(`s${index}`, user(line));
  const both = await library.find(query);
  expect(both[0]).toBe('s0:1');
  expect(both).toEqual(await library.find(query, { by: 'words' }));
});

describe('the turns around a match', () => {
  it('are found with it, after it', async () => {
    await using library = await openLibrary();
    await library.write('s', user('Where did the ferry leave from, again?'), assistant('Pier seven.'));
    await library.write('t', user('the ferry was red'));
    const found = await library.find('where does the ferry leave', { by: 'words' });
    expect(found[0]).toBe('s:1');
    expect(found).toContain('s:2');
  });

  it('come along when they are asked for', async () => {
    await using library = await openLibrary();
    await library.write('s', user('one'), user('two'), setting('title', 'x'), user('okapi'), user('four'));
    const [hit] = await library.recall.search('okapi', { neighbours: 2, by: 'words' });
    expect(hit!.neighbours!.map(({ seq, text }) => [seq, text])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [5, 'four'],
    ]);
  });
});

describe('who speaks', () => {
  it('counts when the query names a person', async () => {
    await using library = await openLibrary();
    await library.write('a', user('I love hiking in the hills', { meta: { speaker: 'Nora' } }));
    await library.write('b', user('I love hiking in the hills', { meta: { speaker: 'Omar' } }));
    expect((await library.find('What does Nora love about hiking?'))[0]).toBe('a:1');
    expect((await library.find('What does Omar love about hiking?'))[0]).toBe('b:1');
  });

  it('is the agent of the session where nothing else is noted', async () => {
    await using library = await openLibrary();
    await library.write('a', setting('agent', 'Sally'), assistant('the tide tables'));
    await library.write('b', setting('agent', 'Robin'), assistant('the tide tables'));
    expect((await library.find('Which tide tables did Sally mention?'))[0]).toBe('a:2');
  });
});

it('prefers messages of the day that the query names', async () => {
  await using library = await openLibrary();
  await library.write('a', { at: Date.UTC(2024, 4, 8), body: user('we met the architects') });
  await library.write('b', { at: Date.UTC(2024, 5, 9), body: user('we met the architects') });
  expect((await library.find('meeting with architects on 8 May 2024'))[0]).toBe('a:1');
  expect((await library.find('meeting with architects in June 2024'))[0]).toBe('b:1');
});

describe("a provider's embeddings", () => {
  const axes = ['boat', 'car', 'tree'];
  function createEmbedder(): Embedder & { broken: boolean; calls: number } {
    return {
      name: 'axes',
      broken: false,
      calls: 0,
      async embed(texts) {
        this.calls++;
        if (this.broken) throw new Error('no network');
        return texts.map((text) => Float32Array.from(axes, (word) => (text.includes(word) ? 1 : 0.01)));
      },
    };
  }

  it('take the place of the word table', async () => {
    const embedder = createEmbedder();
    await using library = await openLibrary({ embedder });
    await library.write('a', user('a boathouse'));
    await library.write('b', user('a treehouse'));
    expect(await library.find('my trees', { by: 'meaning' })).toEqual(['b:1']);
    expect((await library.recall.stats()).embedder).toBe('axes');
  });

  it('may fail: words go on working, and meaning is made up for later', async () => {
    const embedder = createEmbedder();
    await using library = await openLibrary({ embedder });
    embedder.broken = true;
    await library.store.create({ id: 'a' }, [{ body: user('a boathouse') }]);
    expect(await library.recall.catchUp()).toMatchObject({ messages: 1, withoutMeaning: 1 });
    expect(await library.find('boathouse')).toEqual(['a:1']);
    embedder.broken = false;
    expect(await library.recall.catchUp()).toMatchObject({ messages: 0, withoutMeaning: 0 });
    expect(await library.find('my boats', { by: 'meaning' })).toEqual(['a:1']);
  });
});
