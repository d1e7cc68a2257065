import { describe, expect, it } from 'vitest';
import { newSessionId } from '../../src/record/index.ts';
import { createSession, openOrCreateSession, openSession } from '../../src/session/index.ts';
import { user } from '../../src/testing/index.ts';
import { STORES, said } from './stores.ts';

describe.each(STORES)('a new session in a $kind store', ({ open }) => {
  it('is named after its agent and the local time, so that a person can read and type it', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    await using session = await createSession(store, { agent: 'Simple Sally' }, { now: clock.now });
    expect(session.id).toBe(newSessionId({ agent: 'Simple Sally', now: clock.now() }));
    expect(session.id).toMatch(/^simple_sally_\d{8}_\d{6}$/);
    expect(session.info.createdAt).toBe(clock.now());
  });

  it.each([
    ['titel', 'Did you mean "title"?'],
    ['systemPrompt', 'settings: { systemPrompt }'],
    ['model', 'settings: { model }'],
    ['owner', undefined],
  ])('is not made with the field "%s", which there is not', async (name, hint) => {
    await using bench = await open();
    const { store } = bench;
    const message = expect.stringContaining(hint ?? `no option "${name}". There are: `);
    const refused = { code: 'usage', message };
    await expect(createSession(store, { [name]: 'x' })).rejects.toMatchObject(refused);
    await expect(openOrCreateSession(store, 's', { [`${name}s`]: 'x' })).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(createSession(store, {}, { mod: 'read' } as object)).rejects.toThrow('"mode"');
    expect((await store.list({ limit: 9 })).sessions).toEqual([]);
  });

  it.each([
    [{ id: 5 }, 'id'],
    [{ title: 5 }, 'title'],
    [{ tags: 'a' }, 'tags'],
    [{ settings: [] }, 'settings'],
  ])('is not made with %j, which is of another kind', async (birth, option) => {
    await using bench = await open();
    const refused = { code: 'usage', details: { option } };
    await expect(createSession(bench.store, birth as object)).rejects.toMatchObject(refused);
    await expect(bench.store.create({ id: 5 as never })).rejects.toMatchObject({
      code: 'session-id-invalid',
    });
    expect((await bench.store.list({ limit: 9 })).sessions).toEqual([]);
  });

  it('gets a code before the time when another one started in the same second', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    const born = await Promise.all(
      Array.from({ length: 5 }, () => createSession(store, {}, { now: clock.now })),
    );
    const [first, ...others] = born
      .map(({ id }) => id)
      .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    expect(first).toMatch(/^session_\d{8}_\d{6}$/);
    expect(others).toEqual(
      ['b', 'c', 'd', 'e'].map((code) => first!.replace('session_', `session_${code}_`)),
    );
    for (const session of born) await session.close();
  });

  it('has the id a host gives it, or none at all', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 'mine' });
    expect(session.id).toBe('mine');
    await expect(createSession(store, { id: 'mine' })).rejects.toMatchObject({ code: 'session-exists' });
    for (const id of ['', '../mine', 'a/b', 'nul', 'x'.repeat(129), 'mine\0', 'mäin']) {
      await expect(createSession(store, { id })).rejects.toMatchObject({ code: 'session-id-invalid' });
    }
    expect(await store.count()).toMatchObject({ active: 1 });
  });

  it('makes an id of any agent name', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    for (const agent of ['', '   ', '../../etc', 'con', '写作助手', 'a'.repeat(500), '\0', '💥']) {
      await using session = await createSession(store, { agent }, { now: clock.now });
      expect(session.info.state.settings.agent).toBe(agent);
    }
  });

  it('writes down in its log what it was born with', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store, {
      id: 's',
      agent: 'sally',
      project: 'p1',
      title: 'A title',
      tags: ['x', 'y'],
      settings: { model: 'small', limits: { turns: 3 } },
    });
    const entries = await session.read();
    expect(said(entries)).toEqual([
      'agent=sally',
      'project=p1',
      'model=small',
      'limits=[object Object]',
      'title=A title',
      'tag=x',
      'tag=y',
    ]);
    const { head, state, totals } = session.info;
    expect(state).toMatchObject({
      title: { text: 'A title', by: 'user' },
      tags: ['x', 'y'],
      settings: { agent: 'sally', project: 'p1', model: 'small', limits: { turns: 3 } },
    });
    expect([head, totals.messages]).toEqual([7, 0]);
  });

  it('is empty when it was born with nothing', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store);
    expect([session.info.head, await session.read()]).toEqual([0, []]);
  });

  it('is open to write, and kept when it is closed', async () => {
    await using bench = await open();
    const { store } = bench;
    const session = await createSession(store, { id: 's' });
    await session.append([user('hello')]);
    await session.close();
    await using again = await openSession(store, 's');
    expect(said(await again.read())).toEqual(['hello']);
  });

  it('is not born at all when one of its settings cannot be written down', async () => {
    await using bench = await open();
    const settings = { bad: Number.NaN };
    await expect(createSession(bench.store, { id: 's', settings })).rejects.toMatchObject({
      code: 'entry-invalid',
    });
    expect(await bench.store.session('s')).toBeUndefined();
  });
});
