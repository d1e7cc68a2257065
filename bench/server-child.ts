import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { createRpcServer } from '../src/faces/rpc/index.ts';
import { openSqliteStore } from '../src/store/sqlite/index.ts';

// The server under test, and beside it the same kind of server with a handler that does nothing. Tells its parent where,
// and how many microseconds of computing it has taken when asked.
const store = await openSqliteStore(process.argv[2]!, { durability: 'normal', shareCommits: true });
for (const id of ['s0', 's1', 's2', 's3']) await store.create({ id });
const rpc = await createRpcServer({ store, env: {} });

const app = new Hono();
app.post('/rpc', ({ body }) => body(null, 204));
const empty = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
await new Promise<void>((resolve) => empty.listen(0, '127.0.0.1', resolve));
const { port } = empty.address() as AddressInfo;

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!(user + system);
});
process.send!({ rpc: rpc.port, empty: port, token: rpc.token });
