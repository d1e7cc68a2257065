import { z } from 'zod';
import type { DescribedChange, DescribedComparison, MergePreview } from '../../branches/index.ts';
import { CheckpointList, ListedLine, SettledConflict, SummaryFile, SummaryLine } from '../../record/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';

const list = <T extends z.ZodType>(each: T) => z.array(each).readonly();

const Branch = z.strictObject({ id: z.string(), title: z.string(), head: z.int() });

const Source = z.strictObject({
  entry: z.string(),
  session: z.string().exactOptional().describe('The session that it was said in; absent if that is gone.'),
  seq: z.int().exactOptional(),
  at: z.number().exactOptional(),
});

const Whose = z.enum(['ours', 'theirs', 'both']);

const Change = z.strictObject({
  side: Whose,
  list: CheckpointList,
  change: z.enum(['added', 'removed', 'reworded']),
  text: z.string(),
  was: z.string().exactOptional(),
  closedBy: z.string().exactOptional().describe('The finished task, if that is why the line is gone.'),
  sources: list(Source),
}) satisfies z.ZodType<DescribedChange>;

const Side = z.strictObject({
  list: CheckpointList,
  text: z.string().nullable().describe('`null` if this side took the line away.'),
  closedBy: z.string().exactOptional(),
  sources: list(Source),
});

const Conflict = z.strictObject({
  number: z.int().describe('From 1, in this plan.'),
  list: CheckpointList,
  about: z.enum(['wording', 'removal', 'choice', 'done']),
  base: z.string().nullable(),
  ours: Side,
  theirs: Side,
});

export const ComparisonRecord = z.strictObject({
  ours: Branch,
  theirs: Branch,
  since: z
    .strictObject({ session: z.string(), seq: z.int(), by: z.enum(['parting', 'merge']) })
    .describe('The last moment that both know.'),
  plan: z.string().describe('The same comparison has the same plan.'),
  changes: list(Change),
  conflicts: list(Conflict),
  files: list(
    z.strictObject({
      side: Whose,
      path: z.string(),
      operations: list(z.string()),
      sources: list(Source),
    }),
  ),
}) satisfies z.ZodType<DescribedComparison>;
export type ComparisonRecord = z.infer<typeof ComparisonRecord>;

const Preview = ComparisonRecord.extend({
  nothing: z.boolean().describe('True if the branch says nothing that the session has not heard.'),
  brings: list(Change.extend({ number: z.int() })).describe('Changes of the branch alone, numbered from 1.'),
  patch: z.strictObject({
    added: z.record(CheckpointList, list(SummaryLine)),
    dropped: list(ListedLine),
    files: list(SummaryFile),
  }),
  settled: list(SettledConflict),
  open: list(z.int()).describe('Numbers of the conflicts that are still to be settled.'),
  left: list(ListedLine).describe('Lines of the branch that do not come.'),
}) satisfies z.ZodType<MergePreview>;

/** A merge, seen or done: the same fields, so that a preview can be compared with the merge that follows it. */
export const MergeRecord = z.strictObject({
  merged: z.boolean().describe('True if something was written.'),
  entry: z.string().nullable().describe('The entry that holds the merge …'),
  seq: z.int().nullable().describe('… and its number.'),
  ...Preview.shape,
});
export type MergeRecord = z.infer<typeof MergeRecord>;

export const diffBranchesOperation = operation({
  name: 'branch/diff',
  summary:
    'Compare what two branches came to since they parted. Decisions, tasks, facts, files, and where the two disagree; changes nothing.',
  params: z.strictObject({
    ours: SessionField,
    theirs: SessionField.describe('Another session of the same family.'),
  }),
  result: ComparisonRecord,
  faces: { cli: { diff: 'result' } },
  async run({ ours, theirs }, { store, find }) {
    const { diffBranches: diff } = await import('../../branches/index.ts');
    return diff(store, await find(ours), await find(theirs));
  },
});
