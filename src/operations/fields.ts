import { z } from 'zod';
import { CompactionPolicy } from '../record/index.ts';

// Fields that several methods take, in the same words.

export const SessionField = z
  .string()
  .min(1)
  .max(200)
  .describe('The id of a session, exactly. `session/find` looks one up by its title or the start of its id.');

/** Taken in either case, as programs write it, and given back in lower case. */
export const EntryIdField = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/, 'is not a UUID')
  .toLowerCase();

/** What makes a repeat safe. */
export const NewIdField = EntryIdField.optional().describe(
  'A UUID of your own, in either case. Sending the same id with the same content again changes nothing and gives the first result.',
);

export const WaitField = z
  .int()
  .min(0)
  .max(60_000)
  .optional()
  .describe(
    'How long to wait, in milliseconds, while another program writes in the session; ten seconds unless given. Then the call fails with `lease-held`.',
  );

export const SeqField = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const ProviderField = z
  .string()
  .min(1)
  .max(100)
  .describe(
    '`anthropic` (or `claude`), `openai`, `google` (or `gemini`), `ollama`, `compatible`, `offline`, `agent-sdk`.',
  );

export const ModelField = z
  .string()
  .min(1)
  .max(300)
  .describe('The name of the model, alone or as `provider:model`.');

export const PolicyField = CompactionPolicy.describe(
  'When and how the session is compacted by itself: a preset by name (`balanced`, `army`, `repo`, `window`, `checkpoint`), `off`, or settings of your own: `trigger` (any of `share`, `tokens`, `lines`, `above`) and `keep` (any of `share`, `tokens`, `messages`, `turns`), and if you like `soft`, `least` (`messages`, `turns`) and `fanout`. Every face goes by it. A session made over RPC has `window` unless this says otherwise; `null` clears it, and then it is `balanced`.',
);

export const TitleField = z.string().max(1000);
export const TagField = z.string().min(1).max(200);
export const ProjectField = z
  .string()
  .min(1)
  .max(1000)
  .describe('A project: its id, its name, or its folder.');

export const StoreFileField = z.string().min(1).describe('The file of a store.');

/** Parts of a message, as the AI SDK has them. */
const PartField = z.looseObject({ type: z.string().min(1).max(100) });

export const ContentField = z
  .union([z.string(), z.array(PartField).min(1).max(1000)])
  .describe('A text, or the parts of a message as the AI SDK has them.');

/** Whatever JSON can say. */
export const Anything = z.unknown();

/** The same as in a turn, which the compiler checks where its questions are passed on. */
export const ApprovalScope = z.enum(['once', 'session', 'always']);

export const Place = z.enum(['active', 'archived', 'trashed']);
export const Role = z.enum(['system', 'user', 'assistant', 'tool']);

export const Usage = z.looseObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number().optional(),
  cacheReadTokens: z.number().optional(),
  cacheWriteTokens: z.number().optional(),
  cost: z.number().optional().describe('In US dollars, if known.'),
});

export const CompactionNotice = z
  .string()
  .optional()
  .describe('Only where the agent SDK keeps the conversation: what the compaction does not change there.');

export const ModelProblem = z
  .string()
  .optional()
  .describe(
    'The session or its agent names another model, which cannot be used here: its name, and why. The default answers in its place.',
  );
