import { type App, perform, printedBy, type ResultOf } from '../operations/index.ts';
import type { LineageNode } from '../operations/session/index.ts';
import { keepLastList } from './last-list.ts';
import { renderSessionTable } from './render/session-table.ts';
import { treeLines } from './render/session-tree.ts';
import { dimNote } from './terminal/paint.ts';
import { note, printJsonList, printLines } from './terminal/print.ts';

/** The families of sessions, each once, in the order of the list. */
export async function showTrees(
  app: App,
  sessions: Iterable<{ readonly id: string }>,
  { json = false, location }: { json?: boolean; location: string },
): Promise<void> {
  const { showLineage } = await import('../operations/session/index.ts');
  const families: ResultOf<typeof showLineage>[] = [];
  const seen = new Set<string>();
  for (const { id } of sessions) {
    if (seen.has(id)) continue;
    const family = await perform(showLineage, { sessionId: id }, app);
    for (const member of membersOf(family.root)) seen.add(member);
    families.push(family);
  }
  if (json) return printJsonList(families.map((family) => printedBy(showLineage, 'sessions --tree', family)));
  const lines = families.flatMap(treeLines);
  if (lines.length === 0) return note(dimNote('No sessions yet.'));
  const ids = lines.map(({ session }) => session.id);
  await printLines(renderSessionTable(lines, { numbered: keepLastList(location, ids) }));
  for (const { root, missing } of families) {
    if (missing) note(dimNote(`${root.session.id} came from ${missing}, which was purged.`));
  }
}

function membersOf({ session, children }: LineageNode): string[] {
  return [session.id, ...children.flatMap(membersOf)];
}
