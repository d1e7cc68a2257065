import { describe, expect, it } from 'vitest';
import { createSession, describeSession, forkSession } from '../../src/session/index.ts';
import { assistant, setting, user } from '../../src/testing/index.ts';
import { STORES } from './stores.ts';

describe.each(STORES)('a session of a $kind store, as programs are shown it', ({ open }) => {
  it('has every field of the contract and no other', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    const birth = { id: 's', agent: 'sally', project: 'p1', tags: ['x'] };
    await using session = await createSession(store, birth, { now: clock.now });
    clock.advance(10);
    await session.append([user('How?\nTell me.'), assistant('So.')]);
    expect(describeSession(session.info)).toEqual({
      id: 's',
      title: 'How?',
      agent: 'sally',
      project: 'p1',
      parent: null,
      relation: null,
      messages: 2,
      queries: 1,
      tokens: session.info.totals.tokens,
      tags: ['x'],
      createdAt: clock.now() - 10,
      updatedAt: clock.now(),
    });
  });

  it('names where it came from', async () => {
    await using bench = await open();
    const { store } = bench;
    const parent = await store.create({ id: 'p' });
    const fork = await forkSession(store, parent, { id: 'f' });
    expect(describeSession(fork)).toMatchObject({ parent: 'p', relation: 'fork', title: '', tags: [] });
  });

  it('does not show as a text what a host has set to something else', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    await session.append([setting('agent', { name: 'sally' }), setting('project', 7)]);
    expect(describeSession(session.info)).toMatchObject({ agent: null, project: null });
    expect(JSON.parse(JSON.stringify(describeSession(session.info)))).toEqual(describeSession(session.info));
  });
});
