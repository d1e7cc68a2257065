import type { ProjectRecord, SurveyedProject } from '../../../operations/project/index.ts';
import { sayNumber } from '../../../text/index.ts';
import { layOutTable, type TableColumn } from '../terminal/lay-out-table.ts';
import { bold, cyan, dim } from '../terminal/paint.ts';
import { sayAge, sayTime } from '../terminal/say.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/** Projects as lines for people. One without an id is only named by sessions: nothing was written down about it. */
export function renderProjectTable(
  projects: readonly SurveyedProject[],
  { width = screenWidth() }: { width?: number } = {},
): string[] {
  const columns: (TableColumn & { of: (line: SurveyedProject) => string })[] = [
    {
      title: 'Project',
      shrinkTo: [24, 12],
      paint: cyan,
      of: ({ id }) => id ?? '–',
    },
    { title: 'Name', shrinkTo: [20, 8], of: ({ name }) => visibleLine(name) },
    { title: 'Sessions', align: 'right', of: ({ sessions }) => sayNumber(sessions) },
    { title: 'Used', paint: dim, of: ({ updatedAt }) => sayAge(updatedAt) },
    { title: 'Folder', shrinkTo: [30, 12], of: (line) => folderCell(line) },
  ];
  const rows = projects.map((line) => columns.map(({ of }) => of(line)));
  return layOutTable(columns, rows, { width, paintTitle: dim });
}

function folderCell({ folder, there }: SurveyedProject): string {
  if (folder === null) return '';
  return `${there ? '' : '(gone) '}${visibleLine(folder)}`;
}

export function renderProject({ id, name, folders, labels }: ProjectRecord): string[] {
  return [
    [bold(visibleLine(name)), id === null ? dim('nothing written down yet') : cyan(id)].join('  '),
    ...folders.map(({ path, linkedAt, leftAt }) => {
      const since =
        id !== null
          ? dim(leftAt === undefined ? `since ${sayTime(linkedAt)}` : `until ${sayTime(leftAt)}`)
          : '';
      return `  ${visibleLine(path)}  ${since}`.trimEnd();
    }),
    ...labels.map((label) => `  ${dim('also called')} ${visibleLine(label)}`),
  ];
}
