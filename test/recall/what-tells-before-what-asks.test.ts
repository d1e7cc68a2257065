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
