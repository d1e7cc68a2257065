export interface TreeLine<T> {
  readonly node: T;
  /** The lines before its name. */
  readonly branch: string;
}

/** A family as lines, each member below the one it came from. */
export function drawTree<T>(
  root: T,
  { childrenOf, isResumed }: { childrenOf: (node: T) => readonly T[]; isResumed: (node: T) => boolean },
): TreeLine<T>[] {
  const lines: TreeLine<T>[] = [];
  function add(node: T, branch: string, below: string): void {
    lines.push({ node, branch });
    const children = childrenOf(node);
    // A conversation resumed again and again is one line of descent: it goes straight down instead of to the right.
    if (children.length === 1 && isResumed(children[0]!)) {
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
