import type { SessionId } from '../../record/index.ts';
import { commonStart } from '../common-start.ts';
import type { Tables } from './tables.ts';

/** An id, of a session or of a purged one, that starts with `id` or that `id` starts with. Costs a few index look-ups. */
export function findNeighbour({ sessions, purged }: Tables, id: SessionId): SessionId | undefined {
  for (const table of [sessions, purged]) {
    const longer = table.idFrom(id);
    if (longer?.startsWith(id)) return longer;
    // Ids sort after their own starts. So of all starts of `id`, the last id before it has every one that is stored.
    for (let start = id; start !== ''; ) {
      const before = table.idUpTo(start);
      if (before === undefined) break;
      if (id.startsWith(before)) return before;
      start = commonStart(start, before);
    }
  }
  return undefined;
}
