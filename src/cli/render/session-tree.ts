import type { SessionInfo } from '../../record/index.ts';
import {
  describeSession,
  type Lineage,
  type LineageNode,
  type SessionDescription,
} from '../../session/index.ts';
import { drawTree } from './draw-tree.ts';
import { type SessionLine, toListed } from './session-table.ts';

/** A family as lines: each session below the one it came from. */
export function treeLines({ root }: Lineage): SessionLine[] {
  const lines = drawTree(root, {
    childrenOf: ({ children }) => children,
    isResumed: ({ session }) => session.parent?.relation === 'resume',
  });
  return lines.map(({ node: { session }, branch }) => ({
    session: toListed(session),
    branch,
    from: originOf(session),
  }));
}

export interface DescribedNode extends SessionDescription {
  readonly children: readonly DescribedNode[];
}

export function describeTree({ session, children }: LineageNode): DescribedNode {
  return { ...describeSession(session), children: children.map(describeTree) };
}

function originOf({ parent }: SessionInfo): string {
  if (!parent) return '';
  return parent.relation === 'fork' ? `fork at ${parent.seq}` : 'resumed';
}
