import type { Source } from './open-source.ts';
import { parsePage, type TreePage } from './parse-page.ts';

/**
 * Visits the pages of one b-tree from its root down. False when part of the tree cannot be reached; what can be has been
 * visited all the same.
 */
export function walkTree(
  source: Pick<Source, 'latest' | 'images' | 'usable'>,
  root: number,
  visit: (page: TreePage, bytes: Uint8Array) => void,
): boolean {
  const seen = new Set<number>();
  const waiting = [root];
  let whole = true;
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const bytes = seen.has(number) ? undefined : source.latest(number);
    const page = bytes && parsePage(bytes, { usable: source.usable, first: number === 1 });
    seen.add(number);
    if (!page?.whole || !source.images(number)[0]?.sound) whole = false;
    if (!page || !bytes) continue;
    visit(page, bytes);
    for (const { child } of page.cells) if (child !== undefined) waiting.push(child);
    if (page.right !== undefined) waiting.push(page.right);
  }
  return whole;
}
