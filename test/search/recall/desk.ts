import { compactSession, PRESETS } from '../../../src/compaction/index.ts';
import type { EntryBody } from '../../../src/record/index.ts';
import { openRecall, type Recall, type RecallOptions, recollect } from '../../../src/search/index.ts';
import { createSession, type Session } from '../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';

/** A session in a store with its index, all gone when the test is over. */
export interface Desk extends AsyncDisposable {
  readonly store: Store;
  readonly recall: Recall;
  readonly session: Session;
  /** Summarises all but the newest messages. */
  compact(keep: number): Promise<void>;
  /** The numbers of what is recalled for a question, best first. */
  numbers(question: string, maxTokens?: number): Promise<number[]>;
}

export async function openDesk(bodies: readonly EntryBody[], options: RecallOptions = {}): Promise<Desk> {
  const store = createMemoryStore();
  const session = await createSession(store, { id: 'desk' });
  await session.append(bodies);
  const recall = await openRecall(store, options);
  return {
    store,
    recall,
    session,
    async compact(keep) {
      await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: keep } } });
    },
    async numbers(question, maxTokens = 2000) {
      const found = await recollect(store, recall, await session.refresh(), { question, maxTokens });
      return found.map(({ seq }) => seq);
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await recall[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}
