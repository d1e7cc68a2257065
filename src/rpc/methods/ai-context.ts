import { z } from 'zod';
import {
  Author,
  CompactionNotice,
  Covers,
  ModelField,
  ProviderField,
  SeqField,
  SessionField,
} from '../../operations/index.ts';
import { method } from './method.ts';

const Asked = {
  chatSessionId: SessionField,
  keepRecentCount: z
    .int()
    .min(0)
    .max(100_000)
    .optional()
    .describe(
      "How many recent messages stay as they are, at least: a turn is not cut in two. If not given, as many as the session's policy keeps; `window` keeps 10.",
    ),
  range: z
    .strictObject({ from: SeqField.min(1), to: SeqField.min(1) })
    .optional()
    .describe('Only these entries, grown to whole turns.'),
};

const Amount = z.strictObject({ messages: z.int(), tokens: z.int() });

export const aiContext = {
  'ai/context/compact': method({
    summary:
      'Summarises older messages: by the model of the session if it is configured, else by the embedded digest. Fewer than 3 are left alone (`nothing-to-compact`). Nothing is lost.',
    writes: true,
    params: z.strictObject({
      ...Asked,
      provider: ProviderField.optional(),
      model: ModelField.optional().describe('Who summarises; `offline` for the digest.'),
      instructions: z.string().max(10_000).optional().describe('What the summary should pay attention to.'),
      newSdkSession: z
        .boolean()
        .default(false)
        .describe(
          'For a session that the agent SDK keeps: its next turn begins a new session of the SDK, with the summary and the messages behind it as its history.',
        ),
    }),
    result: z.strictObject({
      compactionId: z.string(),
      summary: z.string(),
      messagesCompacted: z.int(),
      originalTokenCount: z.int(),
      compressedTokenCount: z.int(),
      retention: z.number(),
      by: Author,
      failures: z
        .array(z.strictObject({ by: z.string(), reason: z.string() }))
        .describe('Why a model did not do it, if one should have.'),
      merges: z.int().describe('How many summaries were merged into higher ones after it.'),
      unfinished: z
        .string()
        .optional()
        .describe('Why older summaries that could be merged were not. The compaction itself is in place.'),
      notice: CompactionNotice,
    }),
  }),
  'ai/context/preview': method({
    summary: 'What `ai/context/compact` with the same parameters would do, before anything is spent.',
    params: z.strictObject(Asked),
    result: z.strictObject({
      covers: Covers,
      summarised: z.strictObject({ messages: z.int(), compactions: z.int(), tokens: z.int() }),
      kept: Amount,
      leftOut: Amount,
      merges: z.int().describe('How many summaries would be merged after it.'),
      summaryTokens: z.int().describe('At most.'),
      savedTokens: z.int().describe('At least, about.'),
      notice: CompactionNotice,
    }),
  }),
} as const;
