import { z } from 'zod';
import { CacheBreak } from '../../agent/index.ts';
import { CompactionReason } from '../../record/index.ts';
import { Anything, ApprovalScope, UsageField } from '../fields.ts';
import { ContextPart, LeftOut } from '../records/context-part.ts';

const call = { toolCallId: z.string(), toolName: z.string() };

/** What happens while a turn runs. Nothing of this survives a crash; the log does. */
export const LiveEvent = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('input-stored'), id: z.string(), waiting: z.boolean() }),
    /** The model that the session or its agent names cannot be used here; `model` answers. */
    z.strictObject({ type: z.literal('model-replaced'), model: z.string(), problem: z.string() }),
    /** The agent module that the session remembers is not run here; the turn goes on without it. */
    z.strictObject({ type: z.literal('agent-left-out'), problem: z.string() }),
    z.strictObject({
      type: z.literal('request-start'),
      step: z.int(),
      model: z.string(),
      tokens: z.int(),
      window: z.int(),
      reserve: z.int(),
      parts: z.array(ContextPart),
      leftOut: z.array(LeftOut),
      steps: z.array(z.string()),
    }),
    CacheBreak.extend({ type: z.literal('prefix-change'), tokens: z.int() }).strict(),
    z.strictObject({ type: z.literal('text-delta'), text: z.string() }),
    z.strictObject({ type: z.literal('reasoning-delta'), text: z.string() }),
    /** Everything of the answer so far, in the place of its deltas: for late or slow clients. */
    z.strictObject({ type: z.literal('answer-so-far'), text: z.string(), reasoning: z.string() }),
    z.strictObject({
      type: z.literal('answer-end'),
      entry: z.string(),
      seq: z.int(),
      status: z.enum(['complete', 'interrupted']),
      finishReason: z.string(),
      usage: UsageField.nullable(),
    }),
    /** A tool waits for `ai/tool/answer`. New watchers get it again. */
    z.strictObject({
      type: z.literal('approval-start'),
      ...call,
      input: Anything,
      scopes: z.array(ApprovalScope).describe('How long a yes may hold: see `ai/tool/answer`.'),
      until: z.number().describe('Then it is denied. Milliseconds since 1970.'),
    }),
    z.strictObject({
      type: z.literal('approval-end'),
      ...call,
      approved: z.boolean(),
      scope: ApprovalScope,
      by: z.string().nullable().describe('Who answered; `null` if nobody did.'),
      reason: z.string().nullable(),
    }),
    z.strictObject({ type: z.literal('tool-start'), ...call, input: Anything }),
    z.strictObject({ type: z.literal('tool-delta'), ...call, output: Anything }),
    z.strictObject({
      type: z.literal('tool-end'),
      ...call,
      outcome: z.enum(['done', 'failed', 'denied', 'interrupted']),
      entry: z.string(),
      seq: z.int(),
    }),
    z.strictObject({ type: z.literal('compaction-start'), why: CompactionReason }),
    z.strictObject({
      type: z.literal('compaction-end'),
      did: z
        .enum(['nothing', 'prepare', 'compact', 'draft', 'stop'])
        .describe('`draft`: a person is asked first, and the draft waits for `ai/context/draft/approve`.'),
      draft: z.string().nullable().describe('The version of that draft; the numbers are its own then.'),
      compactionId: z.string().nullable(),
      messagesCompacted: z.int(),
      originalTokenCount: z.int(),
      compressedTokenCount: z.int(),
      instead: z
        .string()
        .nullable()
        .describe(
          'Who wrote the summary instead of the model that should have, why, and what its calls took.',
        ),
      reason: z.string().nullable(),
      why: CompactionReason.nullable().describe(
        'Why the session was compacted: what was reached, and what a turn costs before and behind it.',
      ),
    }),
    z.strictObject({
      type: z.literal('retry-start'),
      code: z.string(),
      reason: z.string(),
      attempt: z.int(),
      of: z.int(),
      waitMs: z.number(),
    }),
    z.strictObject({ type: z.literal('request-mend'), about: z.string(), reason: z.string() }),
    z.strictObject({
      type: z.literal('turn-end'),
      status: z.enum(['complete', 'interrupted', 'step-limit']),
      text: z.string(),
      answers: z.int(),
      usage: UsageField,
    }),
    /** The turn failed; the answer so far is kept, and `ai/session/continue` asks again. */
    z.strictObject({ type: z.literal('turn-error'), code: z.string(), message: z.string() }),
  ])
  .meta({ id: 'LiveEvent' });
export type LiveEvent = z.infer<typeof LiveEvent>;
