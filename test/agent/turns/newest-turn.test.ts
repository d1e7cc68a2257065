import { expect, it } from 'vitest';
import { contextFor, listTurns, newestTurn } from '../../../src/agent/index.ts';
import { createSession } from '../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { assistant, user } from '../../../src/testing/index.ts';

/** A store that counts the entries that are read from it in pages. */
function counting(store: Store) {
  const read = { entries: 0 };
  const counted: Store = {
    ...store,
    async read(...asked) {
      const entries = await store.read(...asked);
      read.entries += entries.length;
      return entries;
    },
  };
  return { counted, read };
}

async function sessionOf(store: Store, answers: readonly number[]) {
  const session = await createSession(store, { id: 's' });
  for (const [turn, count] of answers.entries())
    await session.append([
      user(`Question ${turn}`),
      ...Array.from({ length: count }, (_, index) => assistant(`Step ${index}`)),
    ]);
  return session.refresh();
}

it.each([1, 6, 7, 8, 38, 39, 40, 41, 166, 167, 168, 169, 700])(
  'a newest turn of %i answers is read whole',
  async (count) => {
    const store = createMemoryStore();
    const info = await sessionOf(store, [3, count]);
    expect(await newestTurn(store, info)).toMatchObject({ question: 'Question 1', answers: count });
    expect(await listTurns(store, info)).toMatchObject([{ answers: count }, { answers: 3 }]);
  },
);

it('a short turn at the end of a long session is found without reading the session', async () => {
  const { counted, read } = counting(createMemoryStore());
  const info = await sessionOf(counted, Array<number>(200).fill(2));
  read.entries = 0;
  expect(await newestTurn(counted, info)).toMatchObject({ question: 'Question 199' });
  expect(read.entries).toBeLessThanOrEqual(10);
});

it('a context looks little further back than what it holds', async () => {
  const { counted, read } = counting(createMemoryStore());
  await sessionOf(counted, Array<number>(200).fill(2));
  read.entries = 0;
  const { holds } = await contextFor(counted, 's', { model: 'offline', recall: false });
  expect(read.entries - holds.messages).toBeLessThanOrEqual(40);
});
