import { isMarked, type Root, type SessionInfo, type SessionState } from '../record/index.ts';
import { livingRoots } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { withoutReplaced } from './commit-compaction.ts';

/** The compactions that a person opened, and the state as it is once they are removed. */
export async function closeOpened(
  store: Store,
  { id, state }: Pick<SessionInfo, 'id' | 'state'>,
): Promise<{ readonly opened: readonly Root[]; readonly closed: SessionState }> {
  let closed: SessionState = { ...state, roots: await livingRoots(store, { id, state }) };
  const opened: Root[] = [];
  for (;;) {
    const found = closed.roots.filter((root) => isMarked(closed.expanded, root));
    if (found.length === 0) return { opened, closed };
    opened.push(...found);
    const removed = withoutReplaced(
      closed,
      found.map((root) => root.id),
    );
    closed = {
      ...removed,
      roots: await livingRoots(store, { id, state: { ...removed, roots: state.roots } }),
    };
  }
}
