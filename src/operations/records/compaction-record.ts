import { z } from 'zod';
import type { CompactionResult } from '../../compaction/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { renderSummary } from '../../summary/index.ts';
import type { CompactionNode } from './compaction-tree.ts';

export const AuthorField = z.looseObject({
  kind: z.enum(['digest', 'model', 'person', 'import', 'provider']),
  model: z.string().optional(),
  version: z.string().optional(),
});

export const Kept = z.strictObject({
  messages: z.int(),
  tokens: z.int(),
  asked: z
    .int()
    .optional()
    .describe('The number of messages that was to stay, if another does: a turn is not cut in two.'),
});

export const SummaryFailure = z.strictObject({
  by: z.string(),
  reason: z.string(),
  code: z.string().optional(),
});

/** The one description of the score, wherever it is given. */
export const Retention = z
  .number()
  .describe(
    'Share of the paths, identifiers, names and figures of the range that are still found in the summary, 0 to 1: a count of words, not of sense. 0 in an imported summary, which is not measured.',
  );

/** The result of a compaction, whichever operation made it. */
export const Compacted = z.strictObject({
  compactionId: z.string(),
  summary: z.string(),
  messagesCompacted: z.int(),
  kept: Kept,
  originalTokenCount: z.int(),
  compressedTokenCount: z.int(),
  retention: Retention,
  by: AuthorField,
  cost: z
    .number()
    .optional()
    .describe('US dollars that the calls for the summary took, where their price is known.'),
  context: z
    .strictObject({ before: z.int(), after: z.int() })
    .optional()
    .describe('Tokens of the context before and after, as the meter counts them.'),
  failures: z.array(SummaryFailure).describe('Why a model did not do it, if one should have.'),
  instead: z
    .string()
    .optional()
    .describe(
      'Who wrote it instead of the model that should have, why, and the tokens that the calls took: a sentence for people.',
    ),
  merges: z.int().describe('How many summaries were merged into higher ones after it.'),
  unfinished: z
    .string()
    .optional()
    .describe('Why older summaries that could be merged were not. The compaction itself is in place.'),
});

/** A copy of the result that callers may change. */
export function toCompacted(result: CompactionResult): z.output<typeof Compacted> {
  return {
    ...result,
    by: { ...result.by },
    kept: { ...result.kept },
    failures: result.failures.map((failure) => ({ ...failure })),
  };
}

export const Covers = z.strictObject({ from: z.int(), to: z.int() });

export const CompactionRecord = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    summary: z.string().describe('Markdown that begins with `## Conversation Summary`.'),
    startMessageId: z.string().nullable().describe('The first compacted message.'),
    endMessageId: z.string().nullable().describe('The last one.'),
    messagesCompacted: z.int(),
    originalTokenCount: z.int(),
    compressedTokenCount: z.int(),
    createdAt: z.number(),
    seq: z.int(),
    level: z.int().describe('1 covers messages; a higher one stands in for its children.'),
    covers: Covers.describe('The entries that it stands in for; the place of its card in the timeline.'),
    children: z.array(z.string()),
    status: z
      .enum(['collapsed', 'expanded', 'covered'])
      .describe(
        '`collapsed`: the model sees its summary. `expanded`: what is under it. `covered`: a higher one stands in for it.',
      ),
    isActive: z.boolean().describe('Whether its summary is in the context now.'),
    retention: Retention,
    by: AuthorField,
  })
  .meta({ id: 'Compaction' });
export type CompactionRecord = z.infer<typeof CompactionRecord>;

export async function toCompaction(
  store: Store,
  { id: sessionId }: SessionInfo,
  { entry, status, messages }: CompactionNode,
): Promise<CompactionRecord> {
  const { id, seq, at, body } = entry;
  const { level, covers, children, tokensBefore, tokensAfter, retention, by, meta } = body;
  const range = { after: covers.from - 1, upTo: covers.to, only: 'messages', limit: 1 } as const;
  const [first] = await store.read(sessionId, range);
  const [last] = await store.read(sessionId, { ...range, order: 'newest-first' });
  return {
    id,
    sessionId,
    // A summary that a person wrote is given back in their words.
    summary: typeof meta?.markdown === 'string' ? meta.markdown : renderSummary(body.summary),
    startMessageId: first?.id ?? null,
    endMessageId: last?.id ?? null,
    messagesCompacted: messages,
    originalTokenCount: tokensBefore,
    compressedTokenCount: tokensAfter,
    createdAt: at,
    seq,
    level,
    covers: { ...covers },
    children: [...children],
    status,
    isActive: status === 'collapsed',
    retention,
    by: { ...by },
  };
}
