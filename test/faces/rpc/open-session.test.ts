import { describe, expect, it } from 'vitest';
import { createOpenSessions } from '../../../src/operations/index.ts';
import { createSession, openSession, purgeSession, trashSession } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { conversation, user } from '../../../src/testing/index.ts';
import { openFile, said } from '../../session/stores.ts';
import { TRANSPORTS } from './transports.ts';

const UPPER = '0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D';

describe.each(Object.entries(TRANSPORTS))('opening or creating a session over %s', (_, transport) => {
  it('gives one session to any number of first calls, and says which of them made it', async () => {
    await using line = await transport();
    const { call } = line.client;
    const calls = Array.from({ length: 10 }, (_, n) =>
      call('chat/session/open', { id: 'user-ann', title: `Call ${n}` }),
    );
    const opened = await Promise.all(calls);
    expect(opened.filter(({ created }) => created)).toHaveLength(1);
    const title = opened.find(({ created }) => created)!.session.title;
    expect(new Set(opened.map(({ id, session }) => `${id} ${session.id} ${session.title}`))).toEqual(
      new Set([`user-ann user-ann ${title}`]),
    );
    expect((await line.store.count()).active).toBe(1);
  });

  it('takes the id for nothing but an id, and a UUID in either case', async () => {
    await using line = await transport();
    const { call } = line.client;
    await call('chat/session/create', { id: 'user-ann', title: 'user-a' });
    expect(await call('chat/session/open', { id: 'user-a' })).toMatchObject({ id: 'user-a', created: true });
    const id = UPPER.toLowerCase();
    expect(await call('chat/session/open', { id: UPPER })).toMatchObject({ id, created: true });
    expect(await call('chat/session/open', { id })).toMatchObject({ id, created: false });
  });

  it('does not make a purged session again', async () => {
    await using line = await transport();
    const { call } = line.client;
    await call('chat/session/open', { id: 's' });
    await trashSession(line.store, 's');
    await purgeSession(line.store, (await line.store.session('s'))!);
    await expect(call('chat/session/open', { id: 's' })).rejects.toMatchObject({ code: 'session-gone' });
  });
});

describe('a server whose session another program writes in', () => {
  it('adds a message once the other one is done', async () => {
    await using line = await TRANSPORTS.http({ leaseWaitMs: 60_000 });
    const other = await createSession(line.store, { id: 's' });
    const added = line.client.call('chat/message/add', { sessionId: 's', role: 'user', content: 'second' });
    await other.append([user('first')]);
    await other.close();
    await added;
    expect(said(await line.store.read('s'))).toEqual(['first', 'second']);
  });

  it('answers once the other one is done, and at once with lease-held if the caller does not wait', async () => {
    await using line = await TRANSPORTS.http({ leaseWaitMs: 60_000 });
    const other = await createSession(line.store, { id: 's' }, { owner: 'another window' });
    const send = { sessionId: 'ai', storageSessionId: 's', content: 'Hello?', wait: true } as const;
    await expect(line.client.call('ai/session/send', { ...send, waitMs: 0 })).rejects.toMatchObject({
      code: 'lease-held',
      details: { holder: { name: 'another window' } },
    });
    const sent = line.client.call('ai/session/send', send);
    await other.close();
    expect(await sent).toMatchObject({ stored: true, turn: { status: 'complete' } });
  });

  it.each([
    ['turn/retry', { sessionId: 's', turnId: UPPER }],
    ['ai/session/continue', { storageSessionId: 's' }],
    ['ai/session/resume', { chatSessionId: 's' }],
    ['ai/context/compact', { chatSessionId: 's', writer: 'digest' }],
  ] as const)('%s does not wait for it with `waitMs` 0', async (method, named) => {
    await using line = await TRANSPORTS.http({ leaseWaitMs: 3_600_000 });
    await using _other = await createSession(line.store, { id: 's' }, { owner: 'another window' });
    await expect(line.client.call(method, { ...named, waitMs: 0 })).rejects.toMatchObject({
      code: 'lease-held',
      details: { holder: { name: 'another window' } },
    });
  });

  it('stops waiting when it is closed', async () => {
    await using store = createMemoryStore();
    await using _other = await createSession(store, { id: 's' });
    const sessions = createOpenSessions(store, { waitMs: 600_000 });
    const using = sessions.use('s', async () => 'used');
    const ended = expect(using).rejects.toMatchObject({ code: 'cancelled' });
    await sessions.close();
    await ended;
  });

  it('lets a caller that came later wait as long as it may', async () => {
    await using bench = await openFile();
    const { store } = bench;
    await store.create({ id: 's' }, conversation(user('a')));
    const other = await openSession(await bench.connect(), 's');
    const sessions = createOpenSessions(store, { waitMs: 600_000 });
    const impatient = sessions.use('s', async () => 'used', { waitMs: 30 });
    const patient = sessions.use('s', async () => 'used');
    await expect(impatient).rejects.toMatchObject({ code: 'lease-held' });
    await other.close();
    expect(await patient).toBe('used');
    await sessions.close();
  });
});
