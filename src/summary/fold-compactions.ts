import { type Compaction, droppedIn } from '../record/index.ts';
import { type Checkpoint, EMPTY_CHECKPOINT, foldCheckpoint } from './fold-checkpoint.ts';
import { dropLines } from './gone-lines.ts';

type Written = Pick<Compaction, 'summary' | 'meta'>;

/** Adds compactions to a checkpoint, oldest first, each without the lines that a person took out of it. */
export function foldCompactions(
  compactions: readonly Written[],
  base: Checkpoint = EMPTY_CHECKPOINT,
): Checkpoint {
  return compactions.reduce(
    (state, { summary, meta }) => foldCheckpoint([summary], dropLines(state, droppedIn(meta))),
    base,
  );
}
