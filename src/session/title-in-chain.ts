import { type SessionInfo, titleOf } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/**
 * The title of a session; of one in which nothing was said yet, that of the session that it was resumed from, if the caller
 * reaches it.
 */
export async function titleInChain(
  store: Store,
  session: SessionInfo,
  reaches: (info: SessionInfo) => boolean | Promise<boolean> = () => true,
): Promise<string> {
  const passed = new Set([session.id]);
  for (let info = session; ; ) {
    const title = titleOf(info.state);
    if (title) return info === session ? title : `${title}, resumed`;
    if (info.parent?.relation !== 'resume' || passed.has(info.parent.session)) return '';
    const parent = await store.session(info.parent.session);
    if (!parent || !(await reaches(parent))) return '';
    passed.add(parent.id);
    info = parent;
  }
}
