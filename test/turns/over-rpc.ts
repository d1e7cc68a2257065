import { createSocketClient } from '../../src/faces/rpc/index.ts';
import { until } from '../faces/rpc/conversations.ts';
import { startServe } from '../faces/rpc/served.ts';
import type { StartHost } from './play.ts';

/** The program as people start it, and a client that looks on. */
export const startRpc: StartHost = async ({ location, env }, cases) => {
  const served = await startServe(location, [], env);
  const client = createSocketClient({ url: served.url, token: served.token!, reconnect: false });
  const told = new Map<string, string[]>();
  const ids = new Map<string, string>();
  for (const { session } of cases) {
    const heard: string[] = [];
    told.set(session, heard);
    await new Promise<void>((resolve) => {
      client.watch(session, {
        live: true,
        onCaughtUp: () => resolve(),
        onEvent(event) {
          if (event.type === 'turn-end') heard.push(event.status);
          if (event.type === 'turn-error') heard.push(event.code);
        },
      });
    });
    const { aiSessionId } = await client.call('ai/session/resume', { chatSessionId: session });
    ids.set(session, aiSessionId);
  }
  const turns = async (sessionId: string) => (await client.call('turn/list', { sessionId })).turns.reverse();
  const end = async (signal: NodeJS.Signals) => {
    client.close();
    await served.end(signal);
  };
  return {
    pids: () => [served.child.pid!],
    async send(session, content) {
      await client.call('ai/session/send', { sessionId: ids.get(session)!, content });
    },
    async cancel(chatSessionId) {
      await client.call('ai/session/cancel', { chatSessionId });
    },
    turns: async (session) =>
      (await turns(session)).map(({ status, cutBy, error }) => ({
        status,
        cutBy,
        code: error?.code ?? null,
        message: error?.message ?? null,
      })),
    told: (session, count) =>
      until(() => (told.get(session)!.length >= count ? told.get(session)! : undefined)),
    async goOn(session, way) {
      if (way === 'continue') {
        const { started } = await client.call('ai/session/continue', { sessionId: ids.get(session)! });
        if (!started) return 'nothing';
      } else {
        try {
          await client.call('turn/retry', { sessionId: session });
        } catch (error) {
          if ((error as { code?: string }).code !== 'usage') throw error;
          return 'nothing';
        }
      }
      await until(async () =>
        (await turns(session)).every(({ status }) => status !== 'running' && status !== 'waiting'),
      );
      return 'answered';
    },
    end,
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
};
