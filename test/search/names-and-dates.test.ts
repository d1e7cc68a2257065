import { describe, expect, it } from 'vitest';
import { createSession } from '../../src/session/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { type Library, openLibrary } from './library.ts';

const said = (speaker: string, text: string) => user(text, { meta: { speaker } });

async function talk(library: Library): Promise<void> {
  await library.write(
    's',
    said('Caroline Ashby', 'the garden is full of tulips'),
    said('Will Moss', 'my garden is full of tulips as well'),
  );
}

describe('a person is meant', () => {
  it.each([
    { query: 'which garden does Caroline Ashby have', first: 's:1', why: 'by the whole name' },
    { query: 'which garden does Caroline have', first: 's:1', why: 'by a part of it' },
    { query: 'which garden does caroline have', first: 's:1', why: 'in small letters' },
    { query: 'which garden does Carolyne have', first: 's:1', why: 'in a near spelling' },
    { query: 'which garden does Will have', first: 's:2', why: 'by a name that is a word, as it is written' },
    { query: 'will the garden of Caroline do', first: 's:1', why: 'and not by the word' },
  ])('$why', async ({ query, first }) => {
    await using library = await openLibrary();
    await talk(library);
    expect((await library.find(query))[0]).toBe(first);
  });

  it('where it is an agent, by its whole name alone', async () => {
    await using library = await openLibrary();
    await (await createSession(library.store, { id: 's', agent: 'Build Bot' })).close();
    await library.write('s', user('run the tests of the parser'), assistant('the parser has been run'));
    const [plain] = await library.recall.search('tests of the build', { limit: 1 });
    expect(plain?.role).toBe('user');
  });
});

it('finds messages of a day, whatever their subject', async () => {
  await using library = await openLibrary();
  await library.write(
    's',
    { at: Date.UTC(2023, 11, 30, 9), body: user('about rivers') },
    { at: Date.UTC(2023, 11, 31, 9), body: user('about mountains') },
    { at: Date.UTC(2024, 0, 1, 9), body: user('about lakes') },
  );
  for (const query of ['31 Dec 2023', 'what happened on 31 Dec 2023', '2023-12-31', 'am 31.12.2023'])
    expect((await library.find(query))[0]).toBe('s:2');
  const now = Date.UTC(2024, 0, 1, 12);
  expect((await library.find('what was yesterday', { now }))[0]).toBe('s:2');
  expect(await library.find('yesterday')).toEqual([]);
});
