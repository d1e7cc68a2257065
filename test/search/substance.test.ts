import { describe, expect, it } from 'vitest';
import { assistant, user } from '../../src/testing/index.ts';
import { openLibrary } from './library.ts';

describe('a message that only asks', () => {
  it('comes after one that tells as much of the same', async () => {
    await using library = await openLibrary();
    await library.write('a', user('The harbour bridge gets green paint, the mayor told us in spring.'));
    await library.write('b', user('Green paint, on the harbour bridge?'));
    expect(await library.find('paint of the harbour bridge, green')).toEqual(['a:1', 'b:1']);
  });

  it('still is what is found where it holds the query word for word', async () => {
    await using library = await openLibrary();
    await library.write('a', assistant('The harbour bridge is painted, and spring colours are chosen.'));
    await library.write('b', user('Which colour does the harbour bridge get?'));
    expect((await library.find('which colour does the harbour bridge get'))[0]).toBe('b:1');
  });
});

describe('a message that names, counts and speaks of its speaker', () => {
  it('comes before one that answers as nearly and has none of these', async () => {
    await using library = await openLibrary();
    await library.write('a', user('We took the long harbour walk on 3 May, with our friend Nora.'));
    await library.write('b', user('The harbour walk was lovely as ever.'));
    expect(await library.find('the walk, in the harbour')).toEqual(['a:1', 'b:1']);
  });
});

describe('an English question around a name that no dictionary has', () => {
  it('is still understood by what it means', async () => {
    await using library = await openLibrary();
    await library.write('a', user('The physician advised plenty of rest.'));
    await library.write('b', user('The bridge is closed until autumn.'));
    expect(await library.find('what does the doctor at Xyvqorthal Plembotrix want', { limit: 1 })).toEqual([
      'a:1',
    ]);
    // In another language the table would compare spellings.
    expect(await library.find('wann kommt der Brückenzöllner', { limit: 1 })).toEqual([]);
  });
});
