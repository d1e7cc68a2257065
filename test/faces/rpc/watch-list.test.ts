import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { isThroughlineError } from '../../../src/errors.ts';
import type { NotificationParams } from '../../../src/faces/rpc/client/index.ts';
import { createConnection } from '../../../src/faces/rpc/connection.ts';
import { createSocketClient } from '../../../src/faces/rpc/index.ts';
import { createService } from '../../../src/faces/rpc/service.ts';
import { createWatches } from '../../../src/faces/rpc/watches.ts';
import { type Access, OWNER } from '../../../src/operations/index.ts';
import { createMemoryStore, openStore, type Store } from '../../../src/store/index.ts';
import { talk, until } from './conversations.ts';
import { EACH, openServer, TRANSPORTS } from './transports.ts';

type Change = Omit<NotificationParams<'sessions/changed'>, 'watchId'>;

const folder = mkdtempSync(path.join(tmpdir(), 'throughline-list-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const message = (text: string) => ({
  body: { kind: 'message' as const, role: 'user' as const, parts: [{ type: 'text', text }] },
});
const setting = (name: string, value: string | boolean) => ({
  body: { kind: 'setting' as const, name, value, by: 'user' as const },
});

describe.each(EACH)('watching the list over %s', (_, open) => {
  it('tells of what this process writes and of what another writes, as it is then', async () => {
    const file = path.join(folder, `${Math.random()}.db`);
    await using store = await openStore(file, { durability: 'normal' });
    await using other = await openStore(file, { durability: 'normal' });
    await other.create({ id: 'old' }, [message('Long ago.')]);
    await using line = await open({ store });
    const changes: Change[] = [];
    let started = 0;
    const watch = line.client.watchSessions({
      onStart: () => {
        started++;
      },
      onChange: (change) => changes.push(change),
    });
    await until(() => started > 0);
    const told = (id: string) =>
      changes.flatMap(({ sessions }) => sessions).findLast((each) => each.id === id);
    const { id } = await talk(line.client, 2, { title: 'Here' });
    await until(() => told(id)?.messages === 2);
    await other.create({ id: 'theirs' }, [message('Hello from elsewhere.')]);
    await until(() => told('theirs')?.messages === 1);
    // A title moves nothing in the list, and is a change all the same.
    await other.append('old', [setting('title', 'Once')]);
    await until(() => told('old')?.title === 'Once');
    const get = (sessionId: string) => line.client.call('chat/session/get', { sessionId });
    for (const each of [id, 'theirs', 'old']) expect((await get(each)).session).toEqual(told(each));
    await other.append('theirs', [setting('trashed', true)]);
    await until(() => told('theirs')?.place === 'trashed');
    await other.purge('theirs');
    await until(() => changes.some(({ gone }) => gone.includes('theirs')));
    watch.close();
    await line.client.call('server/info');
    const before = changes.length;
    await other.append('old', [message('Nobody listens.')]);
    await new Promise((go) => setTimeout(go, 400));
    expect(changes.length).toBe(before);
  });

  it('tells whose board and memory changed, and shows no log of them as a session', async () => {
    await using line = await open();
    const { client } = line;
    await talk(client, 1, { project: 'shop' });
    const { project } = await client.call('memory/add', { project: 'shop', text: 'The port is 8000.' });
    const changes: Change[] = [];
    let ready = false;
    client.watchSessions({
      onStart: () => {
        ready = true;
      },
      onChange: (change) => changes.push(change),
    });
    await until(() => ready);
    await client.call('work/feature/set', { project: project.id, feature: 'auth' });
    await until(() => changes.length > 0);
    expect(changes).toEqual([{ sessions: [], gone: [], projects: [project.id] }]);
    await client.call('memory/add', { project: project.id, text: 'The host is example.org.' });
    await until(() => changes.length > 1);
    expect(changes[1]).toEqual({ sessions: [], gone: [], projects: [project.id] });
  });
});

it('leaves nothing behind when it is over', async () => {
  const store = createMemoryStore();
  let listening = 0;
  const counted: Store = {
    ...store,
    onChange(listener) {
      listening++;
      const stop = store.onChange(listener);
      return () => {
        listening--;
        stop();
      };
    },
  };
  await using line = await TRANSPORTS.websocket({ store: counted });
  const watches = Array.from({ length: 3 }, () => line.client.watchSessions({}));
  await line.client.call('server/info');
  expect(listening).toBe(1);
  for (const watch of watches) watch.close();
  await until(() => listening === 0);
});

it('begins again when the server comes back, and says so', async () => {
  const store = createMemoryStore();
  const first = await openServer({ store });
  const { port, token } = first;
  let started = 0;
  const seen: string[] = [];
  const client = createSocketClient({ url: first.url, token: token!, reconnect: { firstMs: 2, mostMs: 20 } });
  client.watchSessions({
    onStart: () => {
      started++;
    },
    onChange: ({ sessions }) => seen.push(...sessions.map(({ id }) => id)),
  });
  await until(() => started === 1);
  await first.close();
  await using _ = await openServer({ store, port, token: token! });
  await until(() => started === 2);
  await store.create({ id: 'after' }, [message('Here again.')]);
  await until(() => seen.includes('after'));
  client.close();
});

/** A connection whose other end is read here, when somebody says so. */
function wire() {
  const waiting: { text: string; sent: () => void }[] = [];
  const connection = createConnection((text, sent) => waiting.push({ text, sent }));
  const read = (): Change | undefined => {
    const next = waiting.shift();
    next?.sent();
    return next && JSON.parse(next.text).params;
  };
  return { connection, read };
}

describe('a token of one project', () => {
  it('gets events of its own sessions and boards only, and of one that leaves them', async () => {
    const store = createMemoryStore();
    await using service = createService({ store, env: {} });
    const ann: Access = { user: 'ann', mayWrite: false, projects: ['shop'] };
    const ours = wire();
    const everybodys = wire();
    await createWatches(service, ours.connection).startList(ann);
    await createWatches(service, everybodys.connection).startList(OWNER);
    const next = (line: ReturnType<typeof wire>) => until(() => line.read());
    await store.create({ id: 'secret' }, [setting('project', 'bank'), message('The vault is purple.')]);
    expect((await next(everybodys)).sessions.map(({ id }) => id)).toEqual(['secret']);
    await store.create({ id: 'mine' }, [setting('project', 'shop'), message('Hello.')]);
    expect((await next(everybodys)).sessions.map(({ id }) => id)).toEqual(['mine']);
    expect((await next(ours)).sessions.map(({ id }) => id)).toEqual(['mine']);
    await store.append('mine', [setting('project', 'bank')]);
    expect(await next(ours)).toMatchObject({ sessions: [], gone: ['mine'] });
    await store.append('mine', [message('Not yours any more.')]);
    await store.append('secret', [setting('trashed', true)]);
    await store.purge('secret');
    await until(() => everybodys.read()?.gone.includes('secret'));
    expect(ours.read()).toBeUndefined();
    ours.connection.end();
    everybodys.connection.end();
  });
});

describe('a client that reads slowly', () => {
  it('gets each session once, as it is then', async () => {
    const store = createMemoryStore();
    const systemPrompt = 'x'.repeat(100_000);
    for (let index = 0; index < 20; index++)
      await store.create({ id: `s${index}` }, [setting('systemPrompt', systemPrompt)]);
    await using service = createService({ store, env: {} });
    const { connection, read } = wire();
    await createWatches(service, connection).startList(OWNER);
    const change = async (text: string) => {
      for (let index = 0; index < 20; index++) await store.append(`s${index}`, [setting('title', text)]);
      await new Promise((go) => setTimeout(go, 250));
    };
    for (const text of ['one', 'two', 'three', 'four', 'five']) await change(text);
    expect(connection.waiting).toBeLessThan(5 * 1024 * 1024);
    const heard: string[] = [];
    await until(() => {
      for (let note = read(); note; note = read()) heard.push(...note.sessions.map(({ title }) => title));
      return heard.filter((title) => title === 'five').length === 20;
    });
    expect(heard).toHaveLength(40);
    connection.end();
  });
});

it('adds up to the list, with any writers in any order', async () => {
  const step = fc.record({
    who: fc.nat(1),
    what: fc.constantFrom('say', 'title', 'trash', 'restore', 'purge'),
    session: fc.nat(6),
    pause: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const file = path.join(folder, `${Math.random()}.db`);
      await using here = await openStore(file, { durability: 'normal' });
      await using there = await openStore(file, { durability: 'normal' });
      await using service = createService({ store: here, env: {} });
      const { connection, read } = wire();
      await createWatches(service, connection).startList(OWNER);
      for (const { who, what, session, pause } of steps) {
        await act([here, there][who]!, what, `s${session}`).catch(unlessPurged);
        if (pause) await new Promise((go) => setTimeout(go, 30));
      }
      const expected = await heads(here);
      const mirror = new Map<string, number>();
      await until(() => {
        for (let note = read(); note; note = read()) {
          for (const { id, head } of note.sessions) mirror.set(id, head);
          for (const id of note.gone) mirror.delete(id);
        }
        return JSON.stringify([...mirror].sort()) === JSON.stringify(expected);
      });
      connection.end();
    }),
    { numRuns: 8 },
  );
}, 60_000);

/** The id of a purged session is not used again: such a step changes nothing. */
function unlessPurged(error: unknown): void {
  if (!isThroughlineError(error, 'session-gone')) throw error;
}

async function act(store: Store, what: string, id: string): Promise<void> {
  const info = await store.session(id);
  if (!info) await store.create({ id }, [message('Hello.')]);
  else if (what === 'purge') {
    await store.append(id, [setting('trashed', true)]);
    await store.purge(id);
  } else if (what === 'say') await store.append(id, [message('More.')]);
  else if (what === 'title') await store.append(id, [setting('title', `At ${info.head}`)]);
  else await store.append(id, [setting('trashed', what === 'trash')]);
}

async function heads(store: Store): Promise<[string, number][]> {
  const pages = await Promise.all(
    (['active', 'archived', 'trashed'] as const).map((place) => store.list({ place, limit: 200 })),
  );
  return pages
    .flatMap(({ sessions }) => sessions)
    .map(({ id, head }): [string, number] => [id, head])
    .sort();
}
