import type { Summary } from '../../../record/index.ts';
import { type Checkpoint, foldCheckpoint } from '../../../summary/index.ts';
import { fieldsOf, isFields, textOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';

type Known = Pick<Summary, 'goal' | 'overview' | 'foreign' | 'dropped' | 'facts' | 'files'>;

// The four lists of a checkpoint have no place for the other things that a request shows: goals, overviews, summaries of
// other programs, dropped lines, facts and files. They stand in a separate field, `known`, which other programs pass over.

/** `standing` are the summaries that no other one has taken the place of. */
export function writeKnown({ files }: Checkpoint, standing: readonly Summary[]): Fields {
  const linesOf = (list: 'goal' | 'dropped') => [
    ...new Set(standing.flatMap((summary) => (summary[list] ?? []).map(({ text }) => text))),
  ];
  const known = {
    goal: linesOf('goal'),
    overview: standing.flatMap(({ overview }) => overview.trim() || []),
    foreign: standing.flatMap(({ foreign }) => foreign?.trim() || []),
    dropped: linesOf('dropped'),
    facts: foldCheckpoint(standing).facts.map(({ text }) => text),
    files: files.map(({ path, operations }) => ({ path, operations })),
  };
  return Object.values(known).some((list) => list.length > 0) ? { known } : {};
}

export function readKnown({ known }: Fields): Known {
  const { goal, overview, foreign, dropped, facts, files } = fieldsOf(known);
  const lines = (list: unknown) => texts(list).map((text) => ({ text, from: [] }));
  return {
    ...(texts(goal).length > 0 && { goal: lines(goal) }),
    overview: texts(overview).join('\n\n'),
    ...(texts(foreign).length > 0 && { foreign: texts(foreign).join('\n\n') }),
    ...(texts(dropped).length > 0 && { dropped: lines(dropped) }),
    facts: lines(facts),
    files: (Array.isArray(files) ? files : []).flatMap((file) => {
      const path = isFields(file) ? textOf(file.path) : undefined;
      return path === undefined ? [] : [{ path, operations: texts((file as Fields).operations) }];
    }),
  };
}

function texts(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
}
