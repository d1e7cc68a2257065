import { describe, expect, it } from 'vitest';
import { layOutTable, type TableColumn } from '../../../../src/faces/cli/terminal/lay-out-table.ts';
import { textWidth } from '../../../../src/faces/cli/terminal/text-width.ts';

const columns: TableColumn[] = [
  { title: '#', align: 'right' },
  { title: 'Name', shrinkTo: [10, 4] },
  { title: 'Title', shrinkTo: [8, 5] },
];
const rows = [
  ['1', 'short', '日本語のタイトル'],
  ['10', 'a longer name', 'plain'],
];
const plain = { paintTitle: (text: string) => text };

describe('a table', () => {
  it('aligns its columns, also below wide characters', () => {
    expect(layOutTable(columns, rows, { ...plain, width: Number.POSITIVE_INFINITY })).toEqual([
      ' #  Name           Title',
      ' 1  short          日本語のタイトル',
      '10  a longer name  plain',
    ]);
  });

  it.each([40, 30, 25, 20, 15])('fits %i columns', (width) => {
    const lines = layOutTable(columns, rows, { ...plain, width });
    expect(lines.filter((line) => textWidth(line) > width)).toEqual([]);
  });

  it('takes from the last column first, but leaves it comfortable while others have more', () => {
    expect(layOutTable(columns, rows, { ...plain, width: 28 })[1]).toBe(' 1  short          日本語の…');
    expect(layOutTable(columns, rows, { ...plain, width: 24 })[2]).toBe('10  a longer…   plain');
  });
});
