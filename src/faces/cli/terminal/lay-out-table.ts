import { cutToWidth, textWidth } from './text-width.ts';

export interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /**
   * How far it may be cut down where the terminal is narrow: to the first width as long as that is enough, else to the
   * second. Of two columns the later one gives way first.
   */
  readonly shrinkTo?: readonly [comfortable: number, least: number];
  readonly paint?: (text: string) => string;
}

const GAP = '  ';

/** Rows of plain one-line cells as aligned lines, the titles first. `width` may be infinite: then nothing is cut. */
export function layOutTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  { width, paintTitle }: { width: number; paintTitle: (text: string) => string },
): string[] {
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_, i) =>
    [titles, ...rows].reduce((widest, row) => Math.max(widest, textWidth(row[i] ?? '')), 0),
  );
  shrink(columns, widths, width);
  const lineOf = (row: readonly string[], paintOf: (column: TableColumn) => TableColumn['paint']) =>
    columns
      .map((column, i) => {
        const last = i === columns.length - 1 && column.align !== 'right';
        const cell = cutToWidth(row[i] ?? '', widths[i]!);
        const blank = last ? '' : ' '.repeat(widths[i]! - textWidth(cell));
        const painted = cell && (paintOf(column)?.(cell) ?? cell);
        return column.align === 'right' ? blank + painted : painted + blank;
      })
      .join(GAP)
      .trimEnd();
  return [lineOf(titles, () => paintTitle), ...rows.map((row) => lineOf(row, ({ paint }) => paint))];
}

function shrink(columns: readonly TableColumn[], widths: number[], width: number): void {
  let over = widths.reduce((sum, each) => sum + each, 0) + GAP.length * (widths.length - 1) - width;
  for (const step of [0, 1] as const) {
    for (let i = columns.length - 1; i >= 0 && over > 0; i--) {
      const least = columns[i]!.shrinkTo?.[step] ?? widths[i]!;
      const gives = Math.min(over, Math.max(0, widths[i]! - least));
      widths[i]! -= gives;
      over -= gives;
    }
  }
}
