import { describe, expect, it } from 'vitest';
import {
  compactSession,
  contextFor,
  createMemoryStore,
  createSession,
  emptySummary,
  findSession,
  forkSession,
  getSession,
  openAgent,
  openOrCreateSession,
  openSession,
  openStore,
  pinEntries,
  previewCompaction,
  resumeSession,
  runTurn,
  tagSession,
  titleSession,
} from '../../src/index.ts';

type Call = (...args: never[]) => Promise<unknown>;

const WRONG = [undefined, null, 5, 'text', {}, []];
const call = (run: unknown, ...args: unknown[]) => (run as Call)(...(args as never[]));

describe('a call that is given something else', () => {
  it.each([
    ['openSession', openSession],
    ['createSession', createSession],
    ['openOrCreateSession', openOrCreateSession],
    ['getSession', getSession],
    ['findSession', findSession],
    ['contextFor', contextFor],
    ['forkSession', forkSession],
    ['resumeSession', resumeSession],
    ['titleSession', titleSession],
    ['tagSession', tagSession],
  ])('%s says that it takes a store', async (_, run) => {
    for (const wrong of WRONG)
      await expect(call(run, wrong, 'a', 'b')).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('openStore'),
      });
  });

  it.each([
    ['openAgent', openAgent],
    ['runTurn', (session: never) => runTurn(session, 'Hi', { model: 'offline' })],
    ['pinEntries', pinEntries],
    ['compactSession', compactSession],
    ['previewCompaction', previewCompaction],
  ])('%s says that it takes an open session', async (_, run) => {
    for (const wrong of WRONG)
      await expect(call(run, wrong)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('openSession'),
      });
  });

  it.each([
    ['forkSession', forkSession],
    ['resumeSession', resumeSession],
  ])('%s says that it takes the info of a session', async (_, run) => {
    await using store = createMemoryStore();
    for (const wrong of WRONG)
      await expect(call(run, store, wrong)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('session.info'),
      });
  });

  it.each(['', 5, null, {}])('openStore makes no file for %j', async (location) => {
    await expect(openStore(location as never)).rejects.toMatchObject({ code: 'usage' });
  });

  it('refuses values that are no target of a mark, and no reference', async () => {
    await using store = createMemoryStore();
    await using session = await createSession(store);
    for (const wrong of [undefined, null, 5, 'text'])
      await expect(call(pinEntries, session, wrong)).rejects.toMatchObject({ code: 'usage' });
    for (const wrong of [undefined, null, 5, {}])
      await expect(call(findSession, store, wrong)).rejects.toMatchObject({ code: 'usage' });
    expect(session.info.head).toBe(0);
  });

  it.each<[unknown, string]>([
    [undefined, 'usage'],
    [5, 'usage'],
    [{ body: {} }, 'usage'],
    [[null], 'entry-invalid'],
    [[undefined], 'entry-invalid'],
    [[5], 'entry-invalid'],
  ])('appends nothing for %j', async (entries, code) => {
    await using store = createMemoryStore();
    await using session = await createSession(store);
    await expect(session.append(entries as never)).rejects.toMatchObject({ code });
    await expect(store.append(session.id, entries as never)).rejects.toMatchObject({ code });
    expect(session.info.head).toBe(0);
  });
});

describe('a mode that there is not', () => {
  it.each([
    ['createSession', (store: never, mode: never) => createSession(store, {}, { mode })],
    ['openSession', (store: never, mode: never) => openSession(store, 'here', { mode })],
    ['openOrCreateSession', (store: never, mode: never) => openOrCreateSession(store, 'new', { mode })],
  ])('%s refuses it by name and makes no session', async (_, run) => {
    await using store = createMemoryStore();
    await (await createSession(store, { id: 'here' })).close();
    for (const mode of ['none', 'Write', '', null, 5])
      await expect(call(run, store, mode)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(/"mode".*"write", "join" or "read"/),
      });
    expect((await store.list({ limit: 9 })).sessions.map(({ id }) => id)).toEqual(['here']);
    expect(await store.lease('here')).toBeFalsy();
  });
});

describe('options that a call does not have', () => {
  it.each([
    ['resumeSession', { id: 'other', summary: emptySummary('So far.') }, /birth: \{ id \}/],
    ['resumeSession', { waitMs: 'soon', summary: emptySummary('So far.') }, /waitMs/],
    ['forkSession', { seq: 1 }, /seq/],
  ])('%s refuses them and makes no session', async (name, options, says) => {
    await using store = createMemoryStore();
    await (await createSession(store, { id: 'parent' })).close();
    const run = { resumeSession, forkSession }[name as 'resumeSession'];
    await expect(call(run, store, await getSession(store, 'parent'), options)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(says),
    });
    expect((await store.list({ limit: 9 })).sessions.map(({ id }) => id)).toEqual(['parent']);
  });
});
