import { layOutTable, type TableColumn } from '../terminal/lay-out-table.ts';
import { cyan, dim } from '../terminal/paint.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';

interface Line {
  readonly name: string;
  readonly value: string | null;
  readonly where: string | null;
  readonly about: string;
  readonly otherwise: string;
}

/** Settings as lines for people: the value that holds, where it comes from, and the meaning. A default stands in brackets. */
export function renderConfig(settings: readonly Line[], { width = screenWidth() } = {}): string[] {
  const columns: (TableColumn & { of: (line: Line) => string })[] = [
    { title: 'Setting', paint: cyan, of: ({ name }) => name },
    {
      title: 'Value',
      shrinkTo: [28, 12],
      of: ({ value, otherwise }) => (value === null ? `(${otherwise})` : visibleLine(value)),
    },
    {
      title: 'From',
      shrinkTo: [24, 12],
      of: ({ where }) => (where === null ? 'default' : visibleLine(where)),
    },
    { title: 'About', shrinkTo: [20, 0], paint: dim, of: ({ about }) => about },
  ];
  const rows = settings.map((line) => columns.map(({ of }) => of(line)));
  return layOutTable(columns, rows, { width, paintTitle: dim });
}
