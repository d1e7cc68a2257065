import { it } from 'vitest';
import { killChatAfter } from './painted-house.ts';

// Three of its commits here; every one of them in chat-kill-sweep.long.test.ts.
it.concurrent.each([12, 25, 40])(
  'a chat that is killed right after commit %i goes on as if nothing had happened',
  async (commits) => {
    await killChatAfter(commits);
  },
);
