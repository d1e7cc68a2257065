import { z } from 'zod';
import { DRAFT_SECTIONS, type SummaryDraft } from '../../compaction/index.ts';
import { renderSummary } from '../../summary/index.ts';
import { AuthorField, Covers, Retention, SummaryFailure } from './compaction-record.ts';

export const DraftSection = z.enum(DRAFT_SECTIONS);

const Sources = z
  .array(z.strictObject({ entry: z.string(), seq: z.int().optional() }))
  .describe('The entries that it comes from; without `seq` one that is not in the log of the session.');

export const DraftRecord = z
  .strictObject({
    id: z.string().describe('Of this version. Names of lines mean something in it alone.'),
    at: z.number(),
    stale: z
      .boolean()
      .describe('True if the entries that it stands for have changed: then it cannot be approved.'),
    covers: Covers,
    messages: z.int(),
    tokensBefore: z.int(),
    tokensAfter: z.int(),
    retention: Retention,
    by: AuthorField,
    failures: z.array(SummaryFailure).describe('Why a model did not write it, if one should have.'),
    instructions: z.string().optional(),
    summary: z.string().describe('Markdown: what the model would see.'),
    lines: z.array(
      z.strictObject({
        name: z.string().describe('`part-1` …'),
        section: DraftSection,
        text: z.string(),
        pinned: z.boolean(),
        from: Sources,
      }),
    ),
    lost: z
      .array(
        z.strictObject({
          name: z.string(),
          kind: z.enum(['path', 'identifier', 'figure', 'name']),
          text: z.string(),
          from: Sources,
        }),
      )
      .describe(
        'Names, paths and figures of its entries that no line has: those mentioned most often, `lost-1` first.',
      ),
  })
  .meta({ id: 'SummaryDraft' });
export type DraftRecord = z.output<typeof DraftRecord>;

export function toDraft({ isStale, summary, ...draft }: SummaryDraft): DraftRecord {
  return {
    ...draft,
    stale: isStale,
    covers: { ...draft.covers },
    by: { ...draft.by },
    failures: draft.failures.map((failure) => ({ ...failure })),
    summary: renderSummary(summary),
    lines: draft.lines.map((line) => ({ ...line, from: line.from.map((source) => ({ ...source })) })),
    lost: draft.lost.map((item) => ({ ...item, from: item.from.map((source) => ({ ...source })) })),
  };
}
