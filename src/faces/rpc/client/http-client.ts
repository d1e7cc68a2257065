import type { MethodName } from '../methods/index.ts';
import { followList } from './follow-list.ts';
import { followSession } from './follow-session.ts';
import { createPeer } from './peer.ts';
import { PROTOCOL_VERSIONS } from './protocol-version.ts';
import type { FollowingUpdates, RpcClient } from './rpc-client.ts';
import { disconnected, RpcError, toRpcError, type WireError } from './rpc-error.ts';

export interface HttpClientOptions {
  /** As `throughline serve` printed it; `/rpc` is added if there is no path. */
  readonly url: string;
  readonly token?: string;
  readonly fetch?: typeof globalThis.fetch;
  /** How long a broken watch waits before it asks again. */
  readonly retryMs?: number;
}

/** A client that asks one request at a time; watches are event streams that are asked for again when they break. */
export function createHttpClient({
  url,
  token,
  fetch = globalThis.fetch,
  retryMs = 500,
}: HttpClientOptions): RpcClient {
  const closing = new AbortController();
  let last = 0;

  async function post(body: unknown, { accept, signal }: { accept: string; signal?: AbortSignal }) {
    const headers = {
      'content-type': 'application/json',
      accept,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const both = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
    return fetch(addressOf(url), { method: 'POST', headers, body: JSON.stringify(body), signal: both }).catch(
      (error: Error) => {
        throw disconnected(`The server cannot be reached: ${error.message}.`);
      },
    );
  }

  async function call(method: MethodName, params: unknown = {}): Promise<unknown> {
    const response = await post(
      { jsonrpc: '2.0', id: ++last, method, params },
      { accept: 'application/json' },
    );
    const answer = (await response.json().catch(() => ({ error: notJson(response.status) }))) as {
      result?: unknown;
      error?: WireError;
    };
    if (answer.error) throw toRpcError(answer.error);
    return answer.result;
  }

  /** One event stream after the other, until it is closed. */
  function keep<Kept extends FollowingUpdates>(make: (onClose: () => void) => Kept): Kept {
    const leaving = new AbortController();
    const following = make(() => leaving.abort());
    void keepOn(following, leaving.signal);
    return following;
  }

  async function keepOn(following: FollowingUpdates, signal: AbortSignal): Promise<void> {
    while (!following.closed && !closing.signal.aborted) {
      const failure = await follow(following, signal).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure instanceof RpcError && failure.code !== 'disconnected') following.refused(failure);
      following.lost();
      if (!following.closed && !closing.signal.aborted) await new Promise((go) => setTimeout(go, retryMs));
    }
  }

  async function follow(following: FollowingUpdates, signal: AbortSignal): Promise<void> {
    const accept = 'text/event-stream';
    const lines: string[] = [];
    const peer = createPeer((text) => lines.push(text), {
      onNotification: (name, params) => following.hear(name, params),
    });
    const began = peer.call(following.method, following.params(), (result) => following.began(result));
    began.catch(() => {});
    const response = await post(JSON.parse(lines[0]!), { accept, signal });
    if (response.headers.get('content-type')?.startsWith(accept) && response.body)
      for await (const text of readEvents(response.body)) peer.receive(text);
    else peer.receive(await response.text());
    peer.end();
    await began;
  }

  return {
    initialize: async (client) =>
      (await call('initialize', { client, protocolVersions: PROTOCOL_VERSIONS })) as never,
    call: async (method: MethodName, ...[params]: unknown[]) => (await call(method, params)) as never,
    watch: (sessionId, options) => keep((onClose) => followSession(sessionId, options, { onClose })),
    watchSessions: (options) => keep((onClose) => followList(options, { onClose })),
    close: () => closing.abort(),
  };
}

function addressOf(url: string): string {
  const address = new URL(url);
  address.hash = '';
  if (address.pathname === '/') address.pathname = '/rpc';
  return address.href;
}

function notJson(status: number): WireError {
  return {
    code: -32603,
    message: `The server answered ${status} and no JSON.`,
    data: { code: 'unexpected' },
  };
}

/** The data of each event of an event stream, as it comes. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      rest += decoder.decode(chunk, { stream: true });
      const events = rest.split('\n\n');
      rest = events.pop()!;
      for (const event of events) {
        const data = event.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
        if (data.length > 0) yield data.join('\n');
      }
    }
  } catch {
    // A stream that breaks ends here; its reader asks again.
  }
}
