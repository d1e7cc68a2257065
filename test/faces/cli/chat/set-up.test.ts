import { expect, it } from 'vitest';
import { takeTurn } from '../../../../src/faces/cli/chat/take-turn.ts';
import { createSession, openSession } from '../../../../src/session/index.ts';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { setting } from '../../../../src/testing/index.ts';
import { chatIn } from './chat-in.ts';

it.each([true, false])(
  'the preset of a chat is set once, and a later policy stays; named on the command line: %s',
  async (presetAsked) => {
    const store = createMemoryStore();
    await using session = await createSession(store, { id: 's', project: 'p' });
    const chat = await chatIn(store, session, { preset: 'army', presetAsked });
    const policy = async () => (await store.session('s'))!.state.settings.compaction;
    await takeTurn(chat, 'one');
    expect(await policy()).toBe('army');
    for (const other of ['off', null]) {
      await using elsewhere = await openSession(store, 's', { mode: 'join' });
      await elsewhere.append([setting('compaction', other)]);
      await takeTurn(chat, 'two');
      expect(await policy()).toBe(other ?? undefined);
    }
  },
);

it('a policy that another process sets before the first message keeps a standing preset out', async () => {
  const store = createMemoryStore();
  await using session = await createSession(store, { id: 's', project: 'p' });
  const chat = await chatIn(store, session, { preset: 'army' });
  {
    await using elsewhere = await openSession(store, 's', { mode: 'join' });
    await elsewhere.append([setting('compaction', 'off')]);
  }
  await takeTurn(chat, 'one');
  expect((await store.session('s'))!.state.settings.compaction).toBe('off');
});

it('the agent of a chat is set once, and one that another process sets later stays', async () => {
  const store = createMemoryStore();
  await using session = await createSession(store, { id: 's', project: 'p' });
  const chat = await chatIn(store, session);
  chat.agent = { name: 'Ann', path: '/nowhere/ann.mjs', instructions: 'Be brief.' };
  const agent = async () => {
    const { agent: name, agentPath } = (await store.session('s'))!.state.settings;
    return [name, agentPath];
  };
  await takeTurn(chat, 'one');
  expect(await agent()).toEqual(['Ann', '/nowhere/ann.mjs']);
  {
    await using elsewhere = await openSession(store, 's', { mode: 'join' });
    await elsewhere.append([setting('agent', 'Bob'), setting('agentPath', '/nowhere/bob.mjs')]);
  }
  await takeTurn(chat, 'two');
  expect(await agent()).toEqual(['Bob', '/nowhere/bob.mjs']);
});
