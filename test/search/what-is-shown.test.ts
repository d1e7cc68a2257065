import { describe, expect, it } from 'vitest';
import { assistant, toolResult, user } from '../../src/testing/index.ts';
import { openLibrary } from './library.ts';

describe('quoted phrases', () => {
  it('is preferred, and looked for without the quotes where no message holds it', async () => {
    await using library = await openLibrary();
    await library.write('s', user('the migrations of the database'), user('something else'));
    const [hit] = await library.recall.search('"database migration" plan');
    expect(hit).toMatchObject({ seq: 1, loose: true });
    const [exact] = await library.recall.search('"migrations of the database"');
    expect(exact).toMatchObject({ seq: 1 });
    expect(exact).not.toHaveProperty('loose');
  });

  it('finds nothing where its words are nowhere', async () => {
    await using library = await openLibrary();
    await library.write('s', user('the migrations of the database'));
    expect(await library.recall.search('"qwxyzzy"')).toEqual([]);
  });
});

it.each(['qwxyzzy', 'zebra', 'frobnicate the qwibble', 'シマウマ'])(
  'finds nothing for "%s", which nothing is about',
  async (query) => {
    await using library = await openLibrary();
    const texts = ['run the tests of the parser', 'the build failed again', 'commit it and push the branch'];
    await library.write('s', ...texts.map((text) => user(text)));
    expect(await library.recall.search(query)).toEqual([]);
  },
);

describe('near copies', () => {
  const list = (done: number) =>
    assistant(`to do: write the parser, test the lexer, publish the package, tell the others; done ${done}`);

  it('are one hit that says how many there are, where that is asked for', async () => {
    await using library = await openLibrary();
    await library.write('s', list(1), list(2), list(3), user('is the parser published?'));
    const hits = await library.recall.search('publish the parser', { collapse: true });
    expect(hits.map(({ alike }) => alike ?? 0).sort()).toEqual([0, 2]);
    expect(await library.recall.search('publish the parser')).toHaveLength(4);
  });

  it('leave room for other hits', async () => {
    await using library = await openLibrary();
    await library.write('s', ...Array.from({ length: 12 }, (_, n) => list(n)), user('the parser, then?'));
    expect(await library.recall.search('parser', { collapse: true, limit: 2 })).toHaveLength(2);
  });
});

it('puts messages before outputs of tools, where both fit as well', async () => {
  await using library = await openLibrary();
  await library.write('a', toolResult('bash', 'the heron nests here'));
  await library.write('b', assistant('the heron nests here'));
  expect((await library.find('where do herons nest'))[0]).toBe('b:1');
});
