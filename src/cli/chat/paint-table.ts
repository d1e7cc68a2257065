import { type Column, layOutTable } from '../terminal/lay-out-table.ts';

/** A line that may be a row of a table: it begins with a bar and has another. */
export function isRow(line: string): boolean {
  return /^\s*\|.*\|/.test(line);
}

/** Lines of markdown as an aligned table, the titles first; `undefined` if they are none. */
export function paintTable(
  lines: readonly string[],
  { width, paintTitle }: { width: number; paintTitle: (text: string) => string },
): string[] | undefined {
  const [titles = [], rule = [], ...rows] = lines.map(cellsOf);
  if (rule.length === 0 || !rule.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  const columns = titles.map(
    (title, index): Column => ({
      title,
      shrinkTo: [16, 4],
      ...(/[^:]-*:$/.test(rule[index] ?? '') && !rule[index]!.startsWith(':') && { align: 'right' }),
    }),
  );
  return layOutTable(columns, rows, { width, paintTitle });
}

/** What stands between the bars, without the marks that a cell has no room to show. */
function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) =>
    cell
      .trim()
      .replaceAll('\\|', '|')
      .replace(/\*\*(.+?)\*\*|~~(.+?)~~|`(.+?)`/g, (_, ...texts: (string | undefined)[]) =>
        String(texts.slice(0, 3).find((text) => text !== undefined)),
      ),
  );
}
