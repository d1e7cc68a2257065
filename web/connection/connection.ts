import {
  type CallParams,
  type ConnectionState,
  createSocketClient,
  type MethodName,
  type ResultOf,
  type RpcClient,
  RpcError,
  type Watch,
  type WatchOptions,
  type WatchSessionsOptions,
} from '../../src/faces/rpc/client/index.ts';
import { askWhy, type Refusal } from './ask-why.ts';
import { Watched } from './watched.ts';

export type Link =
  | { readonly is: 'connecting' | 'open' }
  /** The server is gone; the next try is automatic. */
  | { readonly is: 'waiting'; readonly since: number }
  /** The server is there and does not want this page: trying again would not help. */
  | { readonly is: 'refused'; readonly why: Refusal };

const PATIENCE_MS = 12_000;

/** The line to the server for the whole page. It reconnects, and reports its state. */
export class Connection {
  readonly link = new Watched<Link>({ is: 'connecting' });
  readonly #client: RpcClient | undefined;
  readonly #token: string | undefined;
  #lastOpen = Date.now();

  constructor(token: string | undefined) {
    this.#token = token;
    if (token === undefined) {
      this.link.set({ is: 'refused', why: 'no-token' });
      return;
    }
    this.#client = createSocketClient({
      url: new URL('./rpc', document.baseURI.replace(/#.*/, '')).href,
      token,
      reconnect: { firstMs: 250, mostMs: 4000 },
      onState: (state) => this.#follow(state),
    });
  }

  /** Waits for a connection for a while, so that a short break is no error. */
  async call<Name extends MethodName>(method: Name, ...params: CallParams<Name>): Promise<ResultOf<Name>> {
    if (!this.#client) throw refused();
    if (this.link.value.is === 'open') return this.#client.call(method, ...params);
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(reject, PATIENCE_MS, gone());
    try {
      return await Promise.race([this.#client.call(method, ...params), promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  watch(sessionId: string, options: WatchOptions): Watch | undefined {
    return this.#client?.watch(sessionId, options);
  }

  watchSessions(options: WatchSessionsOptions): Pick<Watch, 'close'> | undefined {
    return this.#client?.watchSessions(options);
  }

  async #follow(state: ConnectionState): Promise<void> {
    if (state === 'open') {
      this.#lastOpen = Date.now();
      this.link.set({ is: 'open' });
    } else if (state === 'waiting') {
      this.link.set({ is: 'waiting', since: this.#lastOpen });
      const why = await askWhy(this.#token!);
      if (why === undefined) return;
      this.link.set({ is: 'refused', why });
      this.#client?.close();
    }
  }
}

function gone(): RpcError {
  return new RpcError('The server does not answer.', { rpcCode: -32000, code: 'server-gone' });
}

function refused(): RpcError {
  return new RpcError('The server refused this page.', { rpcCode: -32000, code: 'not-allowed' });
}
