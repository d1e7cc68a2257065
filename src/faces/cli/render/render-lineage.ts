import type { LineageRecord } from '../../../operations/session/index.ts';
import type { SessionId } from '../../../record/index.ts';
import { sayNumber, sayTitle } from '../../../text/index.ts';
import { layOutTable, type TableColumn } from '../terminal/lay-out-table.ts';
import { bold, cyan, dim } from '../terminal/paint.ts';
import { sayAge } from '../terminal/say.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { drawTree, type TreeLine } from './draw-tree.ts';

export function lineageLines(root: LineageRecord): TreeLine<LineageRecord>[] {
  return drawTree(root, {
    childrenOf: ({ children }) => children,
    isResumed: ({ session }) => session.relation === 'resume',
  });
}

/** The family tree with where each branched off, how long it is, and where its conclusions were merged. */
export function renderLineage(
  { sessionId, root }: { sessionId: SessionId; root: LineageRecord },
  { numbered, width = screenWidth() }: { numbered: boolean; width?: number },
): string[] {
  const lines = lineageLines(root);
  const merged = mergedInto(lines);
  const columns: (TableColumn & { of: (line: TreeLine<LineageRecord>, index: number) => string })[] = [
    { title: '#', align: 'right', paint: bold, of: (_, index) => String(index + 1) },
    {
      title: 'Session',
      shrinkTo: [34, 12],
      paint: cyan,
      of: ({ node, branch }) => branch + node.session.id,
    },
    { title: 'From', paint: dim, of: ({ node }) => originOf(node) },
    { title: 'Own', align: 'right', of: ({ node }) => sayNumber(node.entries) },
    { title: 'Messages', align: 'right', of: ({ node }) => sayNumber(node.session.messages) },
    { title: 'Merged', shrinkTo: [20, 10], of: ({ node }) => merged.get(node.session.id) ?? '' },
    { title: 'Updated', paint: dim, of: ({ node }) => sayAge(node.session.updatedAt) },
    { title: 'Title', shrinkTo: [20, 10], of: ({ node }) => titleCell(node, sessionId) },
  ];
  const shown = columns.filter(
    ({ title }) => !((title === '#' && !numbered) || (title === 'Merged' && merged.size === 0)),
  );
  const rows = lines.map((line, index) => shown.map(({ of }) => of(line, index)));
  return layOutTable(shown, rows, { width, paintTitle: dim });
}

function originOf({ session: { relation }, branchedAt }: LineageRecord): string {
  if (relation === null) return '';
  return `${relation === 'fork' ? 'fork' : 'resumed'} at ${sayNumber(branchedAt ?? 0)}`;
}

function titleCell({ session: { id, title, tags } }: LineageRecord, asked: SessionId): string {
  const words = [visibleLine(sayTitle(title)), ...tags.map((tag) => `[${visibleLine(tag)}]`)];
  return [...words, ...(id === asked ? ['← this one'] : [])].join(' ');
}

/** For each branch, where it was merged last and how much of it. */
function mergedInto(lines: readonly TreeLine<LineageRecord>[]): Map<SessionId, string> {
  const heads = new Map(lines.map(({ node }) => [node.session.id, node.session.head]));
  const merges = lines
    .flatMap(({ node }) => node.merges.map((merge) => ({ ...merge, into: node.session.id })))
    .sort((a, b) => a.at - b.at);
  return new Map(
    merges.map(({ branch, head, into }) => {
      const behind = (heads.get(branch) ?? head) - head;
      return [branch, `into ${into}${behind > 0 ? `, up to ${sayNumber(head)}` : ''}`];
    }),
  );
}
