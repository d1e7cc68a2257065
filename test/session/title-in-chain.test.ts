import { expect, it } from 'vitest';
import { emptySummary } from '../../src/record/index.ts';
import { createSession, forkSession, resumeSession, titleInChain } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';

const summary = emptySummary('They talked.');

it('a session is called after the one that it was resumed from until something is said in it', async () => {
  const store = createMemoryStore();
  const first = await createSession(store, { id: 'a' });
  expect(await titleInChain(store, first.info)).toBe('');
  await first.append([user('Which limiter do we take?'), assistant('A bucket.')]);
  const second = await resumeSession(store, first.info, { summary, birth: { id: 'b' } });
  const third = await resumeSession(store, second.info, { summary, birth: { id: 'c' } });
  for (const { info } of [second, third])
    expect(await titleInChain(store, info)).toBe('Which limiter do we take?, resumed');
  await third.append([user('And the logs?'), assistant('None.')]);
  expect(await titleInChain(store, third.info)).toBe('And the logs?');
  const fork = await forkSession(store, third.info, { id: 'd' });
  expect(await titleInChain(store, fork)).toBe('And the logs?');
});
