import { describe, expect, it } from 'vitest';
import { compareBranches } from '../../src/branches/compare-branches.ts';
import { createSession, forkSession, openSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';

const decided = 'We decided to use Postgres for storage.';
const echo = (text: string) => ({
  ...assistant(`(offline) Here is what this session says about your question:\n\n- you: ${text}`),
  model: 'offline:quotes',
});

describe('what the offline model repeats', () => {
  it('is no source of a difference between branches', async () => {
    const store = createMemoryStore();
    const ours = await createSession(store, { id: 'ours' });
    await ours.append([user('We want a store for the queue.'), echo('What you wrote is kept.')]);
    const { id } = await forkSession(store, ours.info, { id: 'theirs' });
    const theirs = await openSession(store, id);
    for (const session of [ours, theirs])
      await session.append([
        user(decided),
        echo(decided),
        user('What do we use for storage?'),
        echo(decided),
      ]);
    const seen = await compareBranches(store, ours.info, theirs.info);
    const said = [seen.checkpoints.ours, seen.checkpoints.theirs].flatMap(({ files, ...lists }) =>
      Object.values(lists).flat(),
    );
    expect(said.map(({ text }) => text)).toContain(decided);
    const sources = new Set(said.flatMap(({ from }) => from));
    const entries = [...(await ours.read()), ...(await theirs.read())];
    const quoted = entries.filter(({ id }) => sources.has(id));
    expect(quoted.every(({ body }) => body.kind === 'message' && body.role === 'user')).toBe(true);
    expect(seen.conflicts).toEqual([]);
  });
});
