import type { SessionId, SessionInfo } from '../record/index.ts';
import { type Lineage, type LineageNode, readLineage } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { keepLastList } from './last-list.ts';
import { renderSessionTable } from './render/session-table.ts';
import { describeTree, treeLines } from './render/session-tree.ts';
import { dimNote } from './terminal/paint.ts';
import { note, printJsonList, printLines } from './terminal/print.ts';

/** The families of sessions, each once, in the order of the list. */
export async function showTrees(
  store: Store,
  sessions: Iterable<SessionInfo>,
  { json = false, location }: { json?: boolean; location: string },
): Promise<void> {
  const families: Lineage[] = [];
  const seen = new Set<SessionId>();
  for (const session of sessions) {
    if (seen.has(session.id)) continue;
    const family = await readLineage(store, session);
    for (const id of membersOf(family.root)) seen.add(id);
    families.push(family);
  }
  if (json) return printJsonList(families.map(({ root }) => describeTree(root)));
  const lines = families.flatMap(treeLines);
  if (lines.length === 0) return note(dimNote('No sessions yet.'));
  const ids = lines.map(({ session }) => session.id);
  await printLines(renderSessionTable(lines, { numbered: keepLastList(location, ids) }));
  for (const { root, missing } of families) {
    if (missing) note(dimNote(`${root.session.id} came from ${missing}, which was purged.`));
  }
}

function membersOf({ session, children }: LineageNode): SessionId[] {
  return [session.id, ...children.flatMap(membersOf)];
}
