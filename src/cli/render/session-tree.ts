import type { LineageNode } from '../../operations/session/index.ts';
import { drawTree } from './draw-tree.ts';
import type { SessionLine } from './session-table.ts';

/** A family as lines: each session below the one it came from. */
export function treeLines({ root }: { readonly root: LineageNode }): SessionLine[] {
  const lines = drawTree(root, {
    childrenOf: ({ children }) => children,
    isResumed: ({ session }) => session.relation === 'resume',
  });
  return lines.map(({ node, branch }) => ({ session: node.session, branch, from: originOf(node) }));
}

function originOf({ session: { relation }, branchedAt }: LineageNode): string {
  if (relation === null) return '';
  return relation === 'fork' ? `fork at ${branchedAt}` : 'resumed';
}
