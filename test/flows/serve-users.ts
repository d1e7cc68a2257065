// The server of the example, over a store that other processes use too. Prints its port; ends when its input does.
import type { AddressInfo } from 'node:net';
import { openStore } from 'throughline';
import { createChatServer } from '../../examples/10-one-session-per-user.ts';
import { echoModel } from './echo-model.ts';

const [file] = process.argv.slice(2) as [string];
const store = await openStore(file);
const server = createChatServer(store, { model: echoModel(), waitMs: 3_600_000 }).listen(0, '127.0.0.1');
server.once('listening', () => console.log(`port ${(server.address() as AddressInfo).port}`));
process.once('SIGTERM', async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await store[Symbol.asyncDispose]();
});
