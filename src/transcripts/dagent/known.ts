import type { Summary } from '../../record/index.ts';
import { foldCheckpoint } from '../../summary/index.ts';
import { fieldsOf, isFields, textOf } from '../source/fields.ts';
import type { Fields } from '../source/recover-line.ts';

type Known = Pick<Summary, 'overview' | 'facts' | 'files'>;

// The four lists of a checkpoint have no place for the other things that a request shows: overviews, facts and files. They
// stand in a field of their own, `known`, which other programs pass over.

/** `all` in the order of the log; `standing` are the summaries that no other one has taken the place of. */
export function writeKnown(all: readonly Summary[], standing: readonly Summary[]): Fields {
  const known = {
    overview: standing.flatMap(({ overview }) => overview.trim() || []),
    facts: foldCheckpoint(standing).facts.map(({ text }) => text),
    files: foldCheckpoint(all).files.map(({ path, operations }) => ({ path, operations })),
  };
  return Object.values(known).some((list) => list.length > 0) ? { known } : {};
}

export function readKnown({ known }: Fields): Known {
  const { overview, facts, files } = fieldsOf(known);
  return {
    overview: texts(overview).join('\n\n'),
    facts: texts(facts).map((text) => ({ text, from: [] })),
    files: (Array.isArray(files) ? files : []).flatMap((file) => {
      const path = isFields(file) ? textOf(file.path) : undefined;
      return path === undefined ? [] : [{ path, operations: texts((file as Fields).operations) }];
    }),
  };
}

function texts(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
}
