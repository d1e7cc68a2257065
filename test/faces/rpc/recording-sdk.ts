import type { AgentSdk, SdkRequest } from '../../../src/faces/rpc/index.ts';

/** The agent SDK as seen from outside: it keeps conversations by id, continues them, and copies them when it forks. */
export interface RecordingSdk extends AgentSdk {
  readonly requests: SdkRequest[];
  /** By SDK id: the prompts and the SDK's own answers, in order. */
  readonly conversations: Map<string, readonly string[]>;
  /** Awaited in a turn: before the SDK says its id, behind that, and in the middle of the answer. */
  before?: (request: SdkRequest) => Promise<unknown> | undefined;
  begun?: (request: SdkRequest) => Promise<unknown> | undefined;
  halfway?: (request: SdkRequest) => Promise<unknown> | undefined;
}

export function createRecordingSdk({
  answer = (number) => `Answer ${number}.`,
  renames = false,
}: {
  answer?: (number: number) => string;
  /** Older versions of the SDK give a conversation another id whenever it is continued. */
  renames?: boolean;
} = {}): RecordingSdk {
  const requests: SdkRequest[] = [];
  const conversations = new Map<string, readonly string[]>();
  const sdk: RecordingSdk = {
    requests,
    conversations,
    async *query(request) {
      const number = requests.push(request);
      const { resume, forkSession = false, prompt, signal } = request;
      if (resume !== undefined && !conversations.has(resume)) {
        const errors = [`No conversation found with session ID: ${resume}`];
        const failed = { subtype: 'error_during_execution', is_error: true, errors };
        yield { type: 'result', session_id: resume, ...failed };
        return;
      }
      const stopped = Promise.withResolvers<never>();
      stopped.promise.catch(() => {});
      signal.addEventListener('abort', () => stopped.reject(signal.reason));
      await Promise.race([sdk.before?.(request), stopped.promise]);
      const session_id = resume === undefined || forkSession || renames ? `sdk-${number}` : resume;
      const told = [...(conversations.get(resume ?? '') ?? []), prompt];
      conversations.set(session_id, told);
      yield { type: 'system', subtype: 'init', session_id };
      await Promise.race([sdk.begun?.(request), stopped.promise]);
      const text = answer(number);
      const delta = { type: 'text_delta', text: text.slice(0, 3) };
      yield { type: 'stream_event', session_id, event: { delta } };
      await Promise.race([sdk.halfway?.(request), stopped.promise]);
      const rest = { type: 'text_delta', text: text.slice(3) };
      yield { type: 'stream_event', session_id, event: { delta: rest } };
      conversations.set(session_id, [...told, text]);
      yield { type: 'result', subtype: 'success', session_id, result: text, usage: {} };
    },
  };
  return sdk;
}
