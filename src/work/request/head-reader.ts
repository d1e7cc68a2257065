import type { AgentOptions, Knowledge, PreparedHead } from '../../agent/index.ts';
import type { SessionId, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';

/** Prepares the heads of requests as turns of the same sessions have them. */
export interface HeadReader extends AsyncDisposable {
  /** As it is now. */
  read(info: SessionInfo): Promise<PreparedHead>;
  /**
   * As the newest request had it, unless the session was set to another system prompt or agent since: a message is added
   * far more often than a fact, and is measured each time.
   */
  newest(info: SessionInfo): Promise<PreparedHead>;
}

interface HeadReaderOptions extends Pick<AgentOptions, 'agent' | 'memory' | 'recall'> {
  /** Tokens that a request may have. */
  readonly budget: number;
  /** Stays open. Without one, it is opened for the first request and closed with the reader. */
  readonly knowledge?: Knowledge | undefined;
}

const MOST_KEPT = 64;

export function createHeadReader(
  store: Store,
  { budget: window, knowledge: given, ...choices }: HeadReaderOptions,
): HeadReader {
  let own: Knowledge | undefined;
  const kept = new Map<SessionId, { readonly set: string; readonly head: PreparedHead }>();

  async function read(info: SessionInfo): Promise<PreparedHead> {
    // A board that is only looked at does not load agents and search.
    const { openKnowledge, prepareHead } = await import('../../agent/index.ts');
    if (!given) own ??= openKnowledge(store);
    const head = await prepareHead(info, { ...choices, window, knowledge: given ?? own! });
    kept.delete(info.id);
    kept.set(info.id, { set: settingsIn(info), head });
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
    return head;
  }

  return {
    read,
    async newest(info) {
      const known = kept.get(info.id);
      return known?.set === settingsIn(info) ? known.head : read(info);
    },
    async [Symbol.asyncDispose]() {
      await own?.[Symbol.asyncDispose]();
    },
  };
}

function settingsIn({ state: { settings } }: SessionInfo): string {
  return JSON.stringify([settings.systemPrompt, settings.agentPath]);
}
