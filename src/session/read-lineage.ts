import type { SessionId, SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';

export interface LineageNode {
  readonly session: SessionInfo;
  /** Oldest first. */
  readonly children: readonly LineageNode[];
}

export interface Lineage {
  /** From the eldest that still exists. */
  readonly root: LineageNode;
  /** The parent that the root names but that was purged. */
  readonly missing?: SessionId;
}

/** The whole family of a session: its ancestors, and the forks and resumed sessions of each. */
export async function readLineage(store: Store, session: SessionInfo): Promise<Lineage> {
  // Older versions gave the id of a purged session again, even to a descendant, so the way up can lead in a circle.
  const passed = new Set([session.id]);
  let eldest = session;
  let missing: SessionId | undefined;
  while (eldest.parent && !passed.has(eldest.parent.session)) {
    const parent = await store.session(eldest.parent.session);
    if (!parent) {
      missing = eldest.parent.session;
      break;
    }
    passed.add(parent.id);
    eldest = parent;
  }
  const root = await readNode(store, eldest, new Set());
  return missing === undefined ? { root } : { root, missing };
}

async function readNode(store: Store, session: SessionInfo, passed: Set<SessionId>): Promise<LineageNode> {
  passed.add(session.id);
  const children: LineageNode[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ parent: session.id, limit: 100, ...(cursor && { cursor }) });
    for (const child of page.sessions) {
      if (!passed.has(child.id)) children.push(await readNode(store, child, passed));
    }
    cursor = page.cursor;
    if (!cursor) return { session, children: children.sort(oldestFirst) };
  }
}

function oldestFirst({ session: a }: LineageNode, { session: b }: LineageNode): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}
