import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { callIn, type ModelCall } from './call-in.ts';
import { foldSpending, NO_SPENDING, type Spending } from './fold-spending.ts';

const PAGE = 500;

/** Every model call of a session, oldest first. What a fork shares with its parent was paid for there. */
export async function* readCalls(store: Store, info: SessionInfo): AsyncGenerator<ModelCall> {
  for await (const entry of ownEntries(store, info)) {
    const call = callIn(entry);
    if (call) yield call;
  }
}

/** What a session used and cost: a pure fold of its part of the log. */
export async function readSpending(store: Store, info: SessionInfo): Promise<Spending> {
  let spending = NO_SPENDING;
  for await (const entry of ownEntries(store, info)) spending = foldSpending(spending, entry);
  return spending;
}

async function* ownEntries(store: Store, { id, parent, head }: SessionInfo) {
  for (let after = parent?.relation === 'fork' ? parent.seq : 0; after < head; ) {
    const page = await store.read(id, { after, upTo: head, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.seq;
  }
}
