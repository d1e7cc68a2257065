import type { SessionInfo } from '../../record/index.ts';
import {
  describeSession,
  type Lineage,
  type LineageNode,
  type SessionDescription,
} from '../../session/index.ts';
import type { SessionLine } from './session-table.ts';

/** A family as lines: each session below the one it came from. */
export function treeLines({ root }: Lineage): SessionLine[] {
  const lines: SessionLine[] = [];
  function add({ session, children }: LineageNode, branch: string, below: string): void {
    lines.push({ session, branch, from: originOf(session) });
    // A conversation resumed again and again is one line of descent: it goes straight down instead of to the right.
    if (children.length === 1 && children[0]!.session.parent?.relation === 'resume') {
      add(children[0]!, below, below);
      return;
    }
    for (const [index, child] of children.entries()) {
      const last = index === children.length - 1;
      add(child, `${below}${last ? '└ ' : '├ '}`, `${below}${last ? '  ' : '│ '}`);
    }
  }
  add(root, '', '');
  return lines;
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
