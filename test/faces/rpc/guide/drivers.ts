import type { RpcClient } from '../../../../src/faces/rpc/index.ts';
import { EACH, type Line, type Options, type Transport } from '../transports.ts';
import { createRawClient } from './raw-client.ts';

// Every scenario in this folder is written once and driven six ways: over each line, by the typed client and by JSON
// text that is written and read by hand.

export interface Port extends AsyncDisposable {
  readonly client: Pick<RpcClient, 'call' | 'watch'>;
  readonly store: Line['store'];
}

export type Driver = (options?: Options) => Promise<Port>;

const typed =
  (open: Transport): Driver =>
  (options) =>
    open(options);

const raw =
  (open: Transport): Driver =>
  async (options) => {
    const line = await open(options);
    const wire = await line.wire();
    return {
      client: createRawClient(wire),
      store: line.store,
      async [Symbol.asyncDispose]() {
        wire.close();
        await line[Symbol.asyncDispose]();
      },
    };
  };

export const DRIVERS: [string, Driver][] = EACH.flatMap(([name, open]): [string, Driver][] => [
  [`${name}, by the typed client`, typed(open)],
  [`${name}, in raw JSON`, raw(open)],
]);
