import type { NotificationName, NotificationParams } from './methods/index.ts';

/** Text that waits for the wire: above the first figure nothing is added that can wait, below the second it goes on. */
const HIGH_BYTES = 1024 * 1024;
const LOW_BYTES = 256 * 1024;

/** One client that can be notified. */
export interface RpcConnection {
  send(text: string): void;
  notify<Name extends NotificationName>(name: Name, params: NotificationParams<Name>): void;
  /** More waits for the wire than should. */
  readonly full: boolean;
  /** How much waits, in characters. */
  readonly waiting: number;
  /** How much has left, in characters: a line that moves is alive. */
  readonly sent: number;
  /** Once there is room again, or the client is gone. */
  ready(): Promise<void>;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  end(): void;
}

export function toNotification<Name extends NotificationName>(
  method: Name,
  params: NotificationParams<Name>,
): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** `write` calls back when the text has left the process. */
export function createConnection(write: (text: string, sent: () => void) => void): RpcConnection {
  const gone = new AbortController();
  let waiting = 0;
  let sent = 0;
  let blocked: PromiseWithResolvers<void> | undefined;

  function release(): void {
    blocked?.resolve();
    blocked = undefined;
  }

  const connection: RpcConnection = {
    send(text) {
      if (gone.signal.aborted) return;
      waiting += text.length;
      write(text, () => {
        waiting -= text.length;
        sent += text.length;
        if (waiting <= LOW_BYTES) release();
      });
    },
    notify: (name, params) => connection.send(toNotification(name, params)),
    get full() {
      return waiting > HIGH_BYTES;
    },
    get waiting() {
      return waiting;
    },
    get sent() {
      return sent;
    },
    async ready() {
      if (waiting <= HIGH_BYTES || gone.signal.aborted) return;
      blocked ??= Promise.withResolvers<void>();
      await blocked.promise;
    },
    signal: gone.signal,
    end() {
      gone.abort();
      release();
    },
  };
  return connection;
}
