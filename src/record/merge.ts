import { z } from 'zod';
import { EntryId } from './entry-id.ts';
import { Seq } from './seq.ts';
import { SessionId } from './session-id.ts';
import { Summary } from './summary.ts';

/** The lists of a checkpoint whose lines two branches can disagree about. */
export const CheckpointList = z.enum(['completed', 'pending', 'decisions', 'blockers', 'facts']);
export type CheckpointList = z.infer<typeof CheckpointList>;

/** A line by its list, its words, and the entries it came from. */
export const ListedLine = z.strictObject({
  list: CheckpointList,
  text: z.string(),
  from: z.array(EntryId),
});
export type ListedLine = z.infer<typeof ListedLine>;

/** Which side of a conflict holds. `newest` takes the side that was said last. */
export const MergeRule = z.enum(['ours', 'theirs', 'newest', 'both']);
export type MergeRule = z.infer<typeof MergeRule>;

/** A conflict and how it ended. A side without words had taken the line away. */
export const SettledConflict = z.strictObject({
  list: CheckpointList,
  base: z.string().optional(),
  ours: z.string().optional(),
  theirs: z.string().optional(),
  kept: z.enum(['ours', 'theirs', 'both']),
  /** Who said so: a person, or the rule that was named. */
  by: z.enum(['person', ...MergeRule.options]),
});
export type SettledConflict = z.infer<typeof SettledConflict>;

/**
 * What a branch concluded, brought home: a patch to the checkpoint of the session it stands in. The branch is not
 * touched, and nothing that was said in it is copied.
 */
export const Merge = z.strictObject({
  kind: z.literal('merge'),
  branch: SessionId,
  /** The newest entry of the branch that was looked at. A later merge brings only what came after it. */
  head: Seq,
  /** What the two had in common then: where they parted, or up to where an earlier merge had come. */
  since: z.strictObject({ session: SessionId, seq: Seq }),
  /** The lines that came, each with the branch's entries it came from. */
  summary: Summary,
  /** What stood in the session before and does not any more. */
  dropped: z.array(ListedLine),
  /** Lines of the branch that were declined. It is not offered again. */
  left: z.array(ListedLine),
  conflicts: z.array(SettledConflict),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type Merge = z.infer<typeof Merge>;
