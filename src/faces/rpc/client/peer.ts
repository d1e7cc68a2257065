import type { MethodName, NotificationName, NotificationParams } from '../methods/index.ts';
import type { OnNotification } from './rpc-client.ts';
import { disconnected, type RpcError, toRpcError, type WireError } from './rpc-error.ts';

/** One end of a line that carries JSON-RPC, one message a text. */
export interface Peer {
  /** `onResult` is called before anything that comes behind the result is heard. */
  call(method: MethodName, params: unknown, onResult?: (result: unknown) => void): Promise<unknown>;
  /** A text came. */
  receive(text: string): void;
  /** Nothing comes any more: waiting callers get an error. */
  end(error?: RpcError): void;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RpcError) => void;
}

export function createPeer(
  send: (text: string) => void,
  { onNotification = () => {} }: { onNotification?: OnNotification } = {},
): Peer {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let over: RpcError | undefined;

  function settle({ id, result, error }: { id?: unknown; result?: unknown; error?: WireError }): void {
    const call = typeof id === 'number' ? waiting.get(id) : undefined;
    if (!call) return;
    waiting.delete(id as number);
    if (error) call.reject(toRpcError(error));
    else call.resolve(result);
  }

  return {
    call(method, params = {}, onResult) {
      if (over) return Promise.reject(over);
      const id = ++last;
      return new Promise((resolve, reject) => {
        const done = (result: unknown) => {
          onResult?.(result);
          resolve(result);
        };
        waiting.set(id, { resolve: done, reject });
        send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      });
    },
    receive(text) {
      const message = JSON.parse(text) as { method?: string; params?: unknown };
      if (typeof message.method !== 'string') return settle(message as Parameters<typeof settle>[0]);
      const name = message.method as NotificationName;
      onNotification(name, message.params as NotificationParams<typeof name>);
    },
    end(error = disconnected()) {
      over ??= error;
      for (const { reject } of waiting.values()) reject(over);
      waiting.clear();
    },
  };
}
