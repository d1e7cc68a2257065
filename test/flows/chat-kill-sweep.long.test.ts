import { expect, it } from 'vitest';
import { countCommits, killChatAfter } from './painted-house.ts';

it('a chat that is killed after any of its commits goes on as if nothing had happened', async () => {
  const commits = await countCommits();
  expect(commits).toBeGreaterThan(10);
  const odd: string[] = [];
  for (let after = 1; after <= commits; after++)
    await killChatAfter(after).catch((error) => odd.push(`after ${after} of ${commits}: ${error.message}`));
  expect(odd).toEqual([]);
});
