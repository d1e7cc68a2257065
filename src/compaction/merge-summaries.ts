import type { Summary } from '../record/index.ts';
import { emptySummary } from '../record/index.ts';
import { foldCheckpoint } from '../summary/index.ts';
import type { SummariseRequest } from './summariser.ts';

/** Summaries of consecutive pieces as one: lists are folded in order, a task finished in a later piece is finished. */
export function mergeSummaries(
  pieces: readonly Summary[],
  { before }: Pick<SummariseRequest, 'before'>,
): Summary {
  const [first, ...rest] = pieces;
  if (!first) return emptySummary();
  if (rest.length === 0) return first;
  const { completed, pending, decisions, blockers, facts } = foldCheckpoint(
    pieces.map((piece) => ({ ...piece, standing: undefined })),
  );
  return {
    ...first,
    background: before ? first.background : (first.background ?? 'Initial session.'),
    overview: pieces
      .map(({ overview }) => overview)
      .filter(Boolean)
      .join(' '),
    ...Object.fromEntries(
      (['goal', 'standing', 'dropped'] as const).flatMap((list) => {
        const lines = pieces.flatMap((piece) => piece[list] ?? []);
        return lines.length > 0 ? [[list, lines]] : [];
      }),
    ),
    ...(pieces.at(-1)!.state && { state: pieces.at(-1)!.state }),
    topics: pieces.flatMap(({ topics }) => topics),
    completed: [...completed],
    pending: [...pending],
    decisions: [...decisions],
    blockers: [...blockers],
    facts: [...facts],
  };
}
