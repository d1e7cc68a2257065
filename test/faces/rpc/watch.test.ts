import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntryRecord } from '../../../src/faces/rpc/client/index.ts';
import { createConnection } from '../../../src/faces/rpc/connection.ts';
import { createSocketClient } from '../../../src/faces/rpc/index.ts';
import { createService } from '../../../src/faces/rpc/service.ts';
import { createWatches } from '../../../src/faces/rpc/watches.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { talk, until } from './conversations.ts';
import { EACH, openServer, TRANSPORTS } from './transports.ts';

const message = (text: string) => ({
  body: { kind: 'message' as const, role: 'user' as const, parts: [{ type: 'text', text }] },
});

describe.each(EACH)('watching over %s', (_, open) => {
  it('sends everything after the cursor, then new entries, in order and once', async () => {
    await using line = await open();
    const { client, store } = line;
    const { id } = await talk(client, 5);
    const seen: number[] = [];
    let caughtUp: number | undefined;
    const watch = client.watch(id, {
      after: 3,
      onEntry: ({ seq }) => seen.push(seq),
      onCaughtUp: (cursor) => {
        caughtUp = cursor;
      },
    });
    await until(() => caughtUp);
    expect([seen, caughtUp]).toEqual([[4, 5, 6], 6]);
    await store.append(id, [message('six'), message('seven')]);
    await until(() => seen.length === 5 || undefined);
    expect(seen).toEqual([4, 5, 6, 7, 8]);
    expect(watch.cursor).toBe(8);
    watch.close();
    await store.append(id, [message('eight')]);
    await client.call('chat/session/get', { sessionId: id });
    expect(seen).toHaveLength(5);
  });

  it('begins with new entries without a cursor', async () => {
    await using line = await open();
    const { id } = await talk(line.client, 4);
    const seen: number[] = [];
    let ready = false;
    line.client.watch(id, {
      onEntry: ({ seq }) => seen.push(seq),
      onCaughtUp: () => {
        ready = true;
      },
    });
    await until(() => ready || undefined);
    await line.store.append(id, [message('five')]);
    await until(() => seen.length > 0 || undefined);
    expect(seen).toEqual([6]);
  });

  it('leaves nothing behind when the client is gone', async () => {
    const store = createMemoryStore();
    let listening = 0;
    const counted = {
      ...store,
      onChange(listener: (session?: string) => void) {
        listening++;
        const stop = store.onChange(listener);
        return () => {
          listening--;
          stop();
        };
      },
    };
    await using line = await open({ store: counted });
    const { id } = await talk(line.client, 2);
    const watches = Array.from({ length: 3 }, () => line.client.watch(id, { after: 0 }));
    await until(() => listening >= 3 || undefined);
    for (const watch of watches) watch.close();
    await until(() => listening === 0 || undefined);
  });

  it('says why there is nothing to watch', async () => {
    await using line = await open();
    const why = await new Promise((resolve) => line.client.watch('nobody', { onEnd: resolve }));
    expect(why).toMatchObject({ code: 'session-not-found' });
  });
});

describe('a watch', () => {
  it('gets every entry exactly once and in order, wherever the connection breaks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constant('break' as const), fc.nat(12)), { minLength: 1, maxLength: 12 }),
        fc.nat(6),
        async (steps, before) => {
          const store = createMemoryStore();
          await store.create({ id: 's' });
          for (let index = 0; index < before; index++) await store.append('s', [message(`old ${index}`)]);
          await using server = await openServer({ store });
          const sockets: WebSocket[] = [];
          const client = createSocketClient({
            url: server.url,
            token: server.token!,
            reconnect: { firstMs: 1, mostMs: 2 },
            open(url, protocols) {
              const socket = new WebSocket(url, protocols);
              sockets.push(socket);
              return socket as never;
            },
          });
          const seen: EntryRecord[] = [];
          client.watch('s', { after: 0, onEntry: (entry) => seen.push(entry) });
          let total = before;
          for (const step of steps) {
            if (step === 'break') sockets.at(-1)!.close();
            else
              for (let index = 0; index < step; index++) await store.append('s', [message(`m ${++total}`)]);
            await new Promise((go) => setImmediate(go));
          }
          await until(() => seen.length >= total || undefined);
          await callThrough(client);
          expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
          client.close();
        },
      ),
      { numRuns: 25 },
    );
  });

  it('waits for a client that does not read, keeps little for it, and leaves nothing out', async () => {
    const store = createMemoryStore();
    await store.create({ id: 's' });
    const text = 'x'.repeat(20_000);
    for (let index = 0; index < 400; index++) await store.append('s', [message(`${index} ${text}`)]);
    await using service = createService({ store, env: {} });
    const wire: { text: string; sent: () => void }[] = [];
    const connection = createConnection((sent, done) => wire.push({ text: sent, sent: done }));
    const watches = createWatches(service, connection);
    watches.start((await store.session('s'))!, { after: 0, live: true, notes: true });
    const seen: number[] = [];
    let most = 0;
    const read = () => {
      const next = wire.shift();
      if (!next) return;
      const { method, params } = JSON.parse(next.text);
      if (method === 'session/entry') seen.push(params.cursor);
      next.sent();
    };
    while (seen.length < 400) {
      most = Math.max(most, connection.waiting);
      // It reads one thing, and then nothing for a while.
      read();
      await new Promise((go) => setImmediate(go));
    }
    expect(seen).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
    expect(most).toBeLessThan(1.2 * 1024 * 1024);
    connection.end();
  });

  it('gets heartbeats, also while nothing happens', async () => {
    await using line = await TRANSPORTS.websocket({ heartbeatMs: 20 });
    const server = await openServer({ store: line.store, heartbeatMs: 20 });
    const beats: number[] = [];
    const client = createSocketClient({
      url: server.url,
      token: server.token!,
      onNotification: (name) => name === 'server/heartbeat' && beats.push(Date.now()),
    });
    await until(() => beats.length >= 3 || undefined);
    client.close();
    await server.close();
  });

  it('is one of several on the same session: each gets everything', async () => {
    await using line = await TRANSPORTS.websocket();
    const { client, store } = line;
    const { id } = await talk(client, 2);
    const windows = Array.from({ length: 5 }, () => [] as number[]);
    for (const seen of windows) client.watch(id, { after: 0, onEntry: ({ seq }) => seen.push(seq) });
    for (let index = 0; index < 30; index++) await store.append(id, [message(`m ${index}`)]);
    await until(() => windows.every((seen) => seen.length === 33) || undefined);
    for (const seen of windows) expect(seen).toEqual(Array.from({ length: 33 }, (_, index) => index + 1));
  });

  it('goes on from its cursor when the server comes back', async () => {
    const store = createMemoryStore();
    await store.create({ id: 's' });
    const first = await openServer({ store });
    const { port, token } = first;
    const seen: number[] = [];
    const client = createSocketClient({
      url: first.url,
      token: token!,
      reconnect: { firstMs: 2, mostMs: 20 },
    });
    client.watch('s', { after: 0, onEntry: ({ seq }) => seen.push(seq) });
    await store.append('s', [message('one')]);
    await until(() => seen.length === 1 || undefined);
    await first.close();
    await store.append('s', [message('two')]);
    await using _ = await openServer({ store, port, token: token! });
    await until(() => seen.length === 2 || undefined);
    await store.append('s', [message('three')]);
    await until(() => seen.length === 3 || undefined);
    expect(seen).toEqual([1, 2, 3]);
    client.close();
  });
});

/** A call that is under way when the connection breaks fails; the next one goes through. */
async function callThrough(client: ReturnType<typeof createSocketClient>): Promise<void> {
  for (;;) {
    try {
      await client.call('server/info');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'disconnected') throw error;
    }
  }
}
