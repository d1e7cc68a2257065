import { expect } from 'vitest';
import { RpcError } from '../../../../src/faces/rpc/index.ts';
import type { Wire } from '../transports.ts';
import type { Port } from './drivers.ts';

interface Waiting {
  readonly sent: string;
  /** Called before anything that comes behind the answer is heard. */
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Writes every request as text and reads every answer as text, knowing of no schema and no client. */
export function createRawClient(wire: Wire): Port['client'] {
  const waiting = new Map<unknown, Waiting>();
  const watchers = new Set<(method: string, params: Notified) => void>();
  let last = 0;

  wire.hear((text) => {
    const message = JSON.parse(text) as Record<string, unknown>;
    expect(message.jsonrpc).toBe('2.0');
    if ('method' in message) {
      expect(Object.keys(message)).toEqual(['jsonrpc', 'method', 'params']);
      for (const hear of [...watchers]) hear(message.method as string, message.params as Notified);
      return;
    }
    // On a line of several clients the answers of others come by too.
    const asked = waiting.get(message.id);
    if (asked) settle(asked, message);
    waiting.delete(message.id);
  });

  function send(
    method: string,
    params: unknown,
    { stream = false, onResult }: { stream?: boolean; onResult?: (result: unknown) => void } = {},
  ): Promise<unknown> {
    // Numbers and texts in turn: both are ids, and each comes back as it was.
    const id = ++last % 2 === 0 ? `raw ${last}` : last;
    const text = `{"id":${JSON.stringify(id)}, "method":${JSON.stringify(method)}, "params":${JSON.stringify(params)}, "jsonrpc":"2.0"}`;
    return new Promise((resolve, reject) => {
      const done = (result: unknown) => {
        onResult?.(result);
        resolve(result);
      };
      waiting.set(id, { sent: text, resolve: done, reject });
      wire.send(text, { stream });
    });
  }

  return {
    call: async (method: string, ...[params]: unknown[]) => (await send(method, params ?? {})) as never,
    watch(sessionId, { after, onEntry, onEvent, onCaughtUp }) {
      let watchId: unknown;
      const hear = (method: string, params: Notified) => {
        if (method === 'ai/session/event') {
          if (params.sessionId === sessionId) onEvent?.(params.event as never, params as never);
        } else if (params.watchId === watchId && method === 'session/entry') onEntry?.(params.entry as never);
        else if (params.watchId === watchId && method === 'session/caught-up')
          onCaughtUp?.(params.cursor as number);
      };
      const asked = { sessionId, ...(after !== undefined && { after }) };
      void send('session/watch', asked, {
        stream: true,
        onResult(result) {
          watchId = (result as { watchId: string }).watchId;
        },
      });
      watchers.add(hear);
      return { cursor: undefined, close: () => watchers.delete(hear) };
    },
  };
}

type Notified = Readonly<Record<string, unknown>>;

function settle({ sent, resolve, reject }: Waiting, answer: Record<string, unknown>): void {
  try {
    const what = 'error' in answer ? 'error' : 'result';
    expect(Object.keys(answer), sent).toEqual(['jsonrpc', 'id', what]);
    if (what === 'result') {
      resolve(answer.result);
      return;
    }
    const error = answer.error as { code: number; message: string; data: { code: string; details?: object } };
    expect(error, sent).toEqual({
      code: expect.any(Number),
      message: expect.stringMatching(/\S/),
      data: {
        code: expect.stringMatching(/^[a-z-]+$/),
        ...(error.data.details && { details: expect.any(Object) }),
      },
    });
    const { code, details = {} } = error.data;
    reject(new RpcError(error.message, { rpcCode: error.code, code, details: { ...details } }));
  } catch (wrong) {
    reject(wrong as Error);
  }
}
