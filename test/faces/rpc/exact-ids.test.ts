import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createCall } from '../../../src/faces/rpc/call.ts';
import { dispatch } from '../../../src/faces/rpc/dispatch/dispatch.ts';
import { createLanes } from '../../../src/faces/rpc/dispatch/lanes.ts';
import { METHODS, type MethodName } from '../../../src/faces/rpc/index.ts';
import { createService } from '../../../src/faces/rpc/service.ts';
import { type Access, OWNER } from '../../../src/operations/index.ts';
import { createSession, getSession, purgeSession, trashSession } from '../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { user } from '../../../src/testing/index.ts';
import { openWork } from '../../../src/work/index.ts';
import { hashLogs } from '../../support/hash-logs.ts';
import { makeRepository } from '../../work/workshop.ts';
import { valid } from './spoil.ts';
import { TRANSPORTS } from './transports.ts';

const ANN: Access = { user: 'ann', mayWrite: true, projects: ['shop'] };
const MESSAGE = '01890000-0000-7000-8000-000000000001';
const WORK = 'dev_auth_login_in_dev';

/** Ids of an old store: the start of one another, the same in another case, and what others may be titled. */
const IDS = [
  'x',
  'x_2',
  'x_2_3',
  'X',
  'user-ann',
  'user-bob',
  'sess-A',
  'zeta-1',
  'session_20261117_035843',
  'session_20261117_035843_2',
];

/** What programs may hold instead: starts of ids, other cases, titles, numbers, ids that no session ever had. */
const WORDS = [
  '',
  'z',
  'zet',
  'user-',
  'user-a',
  'USER-ANN',
  'dev_auth_log',
  '1',
  '2',
  'x_',
  'my secret is 42',
  'nowhere',
];

const SESSIONS = ['sessionId', 'chatSessionId', 'storageSessionId', 'parent', 'lineage'];
const AI = ['ai/session/send', 'ai/session/continue', 'ai/session/cancel'];

/** Every method that names a session, with every field that does. */
const NAMING = [
  ...valid,
  { method: 'ai/session/continue', params: { sessionId: 'ai-x', storageSessionId: 'x', stream: false } },
  {
    method: 'ai/session/send',
    params: { storageSessionId: 'x', content: 'Hello.', stream: false, wait: true },
  },
  { method: 'chat/session/delete', params: { sessionId: 'x', purge: true } },
  { method: 'search', params: { query: 'marker', sessionId: 'x' } },
  { method: 'search', params: { query: 'marker', lineage: 'x' } },
  { method: 'chat/session/list', params: { parent: 'x' } },
].flatMap(({ method, params }) => {
  const { id, chatSessionId, ...rest } = params as Record<string, unknown>;
  const fields = Object.keys(METHODS[method as MethodName].params.shape).filter(
    (field) => SESSIONS.includes(field) && !(field === 'sessionId' && AI.includes(method)),
  );
  // A fork gets an id of its own; to make a new session instead of naming one is another matter.
  const kept = { ...rest, ...(id !== undefined && method !== 'chat/session/fork' && { id }) };
  return fields.map((field) => ({ method, field, params: kept as Record<string, unknown> }));
});

interface Seat {
  readonly id: string;
  /** Given as a title, or asked as the first question. */
  readonly called: { readonly how: 'title' | 'question' | 'neither'; readonly as: string };
  readonly project: 'shop' | 'bank';
  readonly fate: 'kept' | 'trashed' | 'purged';
}

/** So that there is a project to write facts about. */
const ANCHOR: Seat = { id: 'anchor', called: { how: 'neither', as: '' }, project: 'shop', fate: 'kept' };

const seats = fc.uniqueArray(fc.constantFrom(...IDS), { minLength: 3 }).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc.record<Seat>({
        id: fc.constant(id),
        called: fc.record({
          how: fc.constantFrom('title', 'title', 'question', 'neither'),
          as: fc.constantFrom(...IDS, ...WORDS.filter((word) => word !== ''), WORK),
        }),
        project: fc.constantFrom('shop', 'bank'),
        fate: fc.constantFrom('kept', 'kept', 'kept', 'trashed', 'purged'),
      }),
    ),
  ),
);

const calls = fc.array(
  fc.record({
    what: fc.constantFrom(...NAMING),
    name: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...IDS, WORK) },
      { weight: 2, arbitrary: fc.constantFrom(...WORDS.filter((word) => word !== '')) },
    ),
    access: fc.constantFrom(OWNER, OWNER, ANN),
    /** A client that lost the answer sends the same again. */
    times: fc.constantFrom(1, 1, 2),
  }),
  { minLength: 4, maxLength: 12 },
);

const markerOf = (id: string) => `marker<${id}>`;

async function fill(store: Store, { id, called, project, fate }: Seat): Promise<void> {
  await using session = await createSession(store, {
    id,
    project,
    ...(called.how === 'title' && { title: called.as }),
  });
  const opening = called.how === 'question' ? called.as : 'A question.';
  await session.append([{ id: MESSAGE, body: user(opening) }]);
  await session.append([user(`Second: ${markerOf(id)}`), user('Third.'), user('Fourth.')]);
  if (fate === 'kept') return;
  await session.close();
  await trashSession(store, id);
  if (fate === 'purged') await purgeSession(store, await getSession(store, id));
}

async function reachable(store: Store, access: Access, id: string): Promise<boolean> {
  const info = await store.session(id);
  return info !== undefined && (access === OWNER || info.state.settings.project !== 'bank');
}

it('reads and writes no session but the one whose id is exactly the one given, whatever others are called', async () => {
  using folders = makeRepository({ git: false });
  await fc.assert(
    fc.asyncProperty(seats, calls, async (born, asked) => {
      await using store = createMemoryStore();
      await using service = createService({ store, env: {}, checkResults: true });
      const lanes = createLanes();
      for (const seat of [ANCHOR, ...born]) await fill(store, seat);
      await using work = await openWork(store, { folder: folders.path });
      await work.setFeature('auth', { name: 'Auth' });
      await work.setTask('auth', 'login', { title: 'Login' });
      await work.moveTask('auth', 'login', 'in_dev', { force: true });
      await work.createSession('dev-task', 'auth', 'login');
      for (const { what, name, access, times } of asked)
        for (let time = 0; time < times; time++) {
          const before = await hashLogs(store);
          const logs = new Set(Object.keys(await hashLogs(store, ['memory'])));
          const isThere = await reachable(store, access, name);
          const params = { ...what.params, [what.field]: name };
          const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: what.method, params });
          const answer = (await dispatch(text, createCall(service, access), lanes))!;
          // What the call started is part of it.
          await vi.waitFor(() => expect(service.runs.isRunning(name)).toBe(false), { interval: 1 });
          await service.sessions.letGo(name);
          const after = await hashLogs(store);
          const about = `${what.method} ${what.field}=${name}`;
          const { error } = JSON.parse(answer) as { error?: { data: { code: string } } };
          if (!isThere) expect(error?.data.code, about).toMatch(/^session-(?:not-found|gone)$/);
          for (const [id, hash] of Object.entries(before)) {
            if (isThere && (id === name || logs.has(id))) continue;
            expect(after[id], `${about} changed ${id}`).toBe(hash);
          }
          for (const id of IDS)
            if (id !== name && what.field !== 'lineage')
              expect(answer, `${about} read ${id}`).not.toContain(markerOf(id));
        }
    }),
    { numRuns: 60 },
  );
}, 120_000);

describe.each(Object.entries(TRANSPORTS))('over %s', (_, transport) => {
  it('does not reach the next session when a purge is repeated', async () => {
    await using line = await transport();
    const { call } = line.client;
    const A = 'session_20261117_035843';
    const B = `${A}_2`;
    for (const id of [A, B]) await call('chat/session/create', { id });
    await call('chat/message/add', { sessionId: B, role: 'user', content: 'B private' });
    const before = await hashLogs(line.store);
    await call('chat/session/delete', { sessionId: A });
    await call('chat/session/delete', { sessionId: A, purge: true });
    const missing = { code: expect.stringMatching(/^session-(?:not-found|gone)$/) };
    const said = { role: 'user', content: 'For A.' } as const;
    for (const repeated of [
      call('chat/message/add', { sessionId: A, ...said }),
      call('ai/session/send', { sessionId: 'ai-1', storageSessionId: A, content: 'For A.' }),
      call('chat/session/delete', { sessionId: A }),
      call('chat/session/delete', { sessionId: A, purge: true }),
      call('chat/session/get', { sessionId: A }),
      call('session/watch', { sessionId: A }),
    ])
      await expect(repeated).rejects.toMatchObject(missing);
    expect((await hashLogs(line.store))[B]).toBe(before[B]);
    expect((await call('chat/session/get', { sessionId: B })).session).toMatchObject({ place: 'active' });
  });

  it('finds no compaction of a purged session by its id, also if it was found before', async () => {
    await using line = await transport();
    const { call } = line.client;
    await call('chat/session/create', { id: 'x' });
    const said: string[] = [];
    for (const content of ['One.', 'Two.'])
      said.push((await call('chat/message/add', { sessionId: 'x', role: 'user', content })).message.id);
    const { compaction } = await call('chat/compaction/create', {
      sessionId: 'x',
      summary: '## Conversation Summary\nTwo numbers.',
      startMessageId: said[0]!,
      endMessageId: said[1]!,
    });
    await call('chat/compaction/get', { id: compaction.id });
    for (const purge of [false, true]) await call('chat/session/delete', { sessionId: 'x', purge });
    await expect(call('chat/compaction/get', { id: compaction.id })).rejects.toMatchObject({
      code: 'entry-not-found',
    });
  });

  it('neither trashes nor purges by the start of an id', async () => {
    await using line = await transport();
    const { call } = line.client;
    await call('chat/session/create', { id: 'zeta-1' });
    await expect(call('chat/session/delete', { sessionId: 'z' })).rejects.toMatchObject({
      code: 'session-not-found',
    });
    await call('chat/session/delete', { sessionId: 'zeta-1' });
    await expect(call('chat/session/delete', { sessionId: 'zet', purge: true })).rejects.toMatchObject({
      code: 'session-not-found',
    });
    expect((await call('chat/session/get', { sessionId: 'zeta-1' })).session.place).toBe('trashed');
  });

  it('writes nothing into a session that is titled like a purged id, also if that was written to before', async () => {
    await using line = await transport();
    const { call } = line.client;
    await call('chat/session/create', { id: 'sess-A' });
    await call('chat/session/create', { id: 'other', title: 'sess-A' });
    await call('chat/session/create', { id: 'third', title: 'sess-B' });
    await call('chat/message/add', { sessionId: 'sess-A', role: 'user', content: 'Before.' });
    await trashSession(line.store, 'sess-A');
    // By another program: this server has the id among those it knows.
    await purgeSession(line.store, await getSession(line.store, 'sess-A'));
    const before = await hashLogs(line.store);
    for (const [sessionId, id] of [
      ['sess-A'],
      ['sess-A', MESSAGE],
      ['sess-B'],
      ['sess-B', MESSAGE],
    ] as const) {
      const add = { sessionId, role: 'user', content: 'After.', ...(id && { id }) } as const;
      await expect(call('chat/message/add', add)).rejects.toMatchObject({
        code: expect.stringMatching(/^session-(?:not-found|gone)$/),
      });
    }
    expect(await hashLogs(line.store)).toEqual(before);
  });
});
