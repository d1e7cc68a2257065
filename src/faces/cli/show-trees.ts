import { type App, type OperationResult, perform, printedBy } from '../../operations/index.ts';
import type { LineageRecord } from '../../operations/session/index.ts';
import { keepLastList } from './last-list.ts';
import { drawTree } from './render/draw-tree.ts';
import { renderSessionTable, type SessionLine } from './render/session-table.ts';
import { dimNote } from './terminal/paint.ts';
import { note, printJsonList, printLines } from './terminal/print.ts';

/** The families of sessions, each once, in the order of the list. */
export async function showTrees(
  app: App,
  sessions: Iterable<{ readonly id: string }>,
  { json = false, location }: { json?: boolean; location: string },
): Promise<void> {
  const { showLineage } = await import('../../operations/session/index.ts');
  const families: OperationResult<typeof showLineage>[] = [];
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

function membersOf({ session, children }: LineageRecord): string[] {
  return [session.id, ...children.flatMap(membersOf)];
}

/** A family as lines: each session below the one it came from. */
function treeLines({ root }: { readonly root: LineageRecord }): SessionLine[] {
  const lines = drawTree(root, {
    childrenOf: ({ children }) => children,
    isResumed: ({ session }) => session.relation === 'resume',
  });
  return lines.map(({ node, branch }) => ({ session: node.session, branch, from: originOf(node) }));
}

function originOf({ session: { relation }, branchedAt }: LineageRecord): string {
  if (relation === null) return '';
  return relation === 'fork' ? `fork at ${branchedAt}` : 'resumed';
}
