import { expect, it } from 'vitest';
import { assistant, user } from '../../src/testing/index.ts';
import { openLibrary } from './library.ts';

const QUOTE = 'Here is what this session says about your question: - user: the pump of boiler 7 leaks';
const offline = () => assistant(QUOTE, { model: 'offline:quotes' });

it('an answer of the offline model is no hit, for its quote or beside one', async () => {
  await using library = await openLibrary();
  await library.write('s', user('the pump of boiler 7 leaks'), offline(), user('what leaks?'), offline());
  for (const query of ['pump of boiler 7', '"boiler 7 leaks"', QUOTE, 'which pump leaks', ''])
    expect(await library.find(query), query).not.toContain('s:2');
  expect((await library.recall.search('the pump of boiler 7 leaks'))[0]).toMatchObject({ seq: 1 });
});

it('the same words of another model are a hit', async () => {
  await using library = await openLibrary();
  await library.write('s', user('hello'), assistant(QUOTE, { model: 'openai:gpt-5' }));
  expect((await library.recall.search('boiler 7 leaks'))[0]).toMatchObject({ seq: 2 });
});

it('a session goes on to be indexed after one', async () => {
  await using library = await openLibrary();
  await library.write('s', user('hello'), offline());
  await library.write('s', user('the valve is new'));
  expect((await library.recall.search('valve'))[0]).toMatchObject({ seq: 3 });
});
