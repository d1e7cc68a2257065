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
  'When and how the session is compacted by itself: a preset by name (`balanced`, `frugal`, `everything`, `army`, `repo`, `window`, `checkpoint`), `off`, or settings of your own: `trigger` (any of `share`, `tokens`, `lines`, `above`, `cost`) and `keep` (any of `share`, `tokens`, `messages`, `turns`), and if you like `soft`, `least` (`messages`, `turns`) and `fanout`. Every face goes by it. A session made over RPC has `window` unless this says otherwise; `null` clears it, and then it is `balanced`.',
);

export const AskFirstField = z
  .boolean()
  .describe(
    'Where the session would be compacted by itself, a draft is written instead, and waits for `ai/context/draft/approve`. Until then requests are fitted into the window one by one, as with the policy `off`. `null` clears it.',
  );

export const FolderField = z.string().min(1).max(10_000).describe('Any folder of the project.');

export const TitleField = z.string().max(1000);
export const TagField = z.string().min(1).max(200);
export const ProjectField = z
  .string()
  .min(1)
  .max(1000)
  .describe('A project: its id, its name, or its folder.');

/** Fields of lists and searches: each that is given leaves the sessions that fit it. */
export const NarrowingFields = {
  project: z
    .string()
    .max(1000)
    .optional()
    .describe(
      'Only sessions of this project: its id or the start of it, its name, one of its folders, or what sessions call it.',
    ),
  agent: z.string().max(200).optional().describe('Only sessions of this agent.'),
  tag: TagField.optional().describe('Only sessions with this tag.'),
};

export const StoreFileField = z.string().min(1).describe('The file of a store.');

/** Parts of a message, as the AI SDK has them. */
const PartField = z.looseObject({ type: z.string().min(1).max(100) });

export const ContentField = z
  .union([z.string(), z.array(PartField).min(1).max(1000)])
  .describe('A text, or the parts of a message as the AI SDK has them.');

/** Whatever JSON can say. */
export const Anything = z.unknown();

const NamedValues = z.record(z.string().min(1).max(200), Anything);

/**
 * Settings that a host names. A value passes as it is: a record that is copied loses the name `__proto__`, and the caller
 * would not learn of it.
 */
export const HostSettings = z.custom<Record<string, unknown>>().superRefine((value, context) => {
  const { error } = NamedValues.safeParse(value);
  for (const { message, path } of error?.issues ?? []) context.addIssue({ code: 'custom', message, path });
});

/** The same as in a turn, which the compiler checks where its questions are passed on. */
export const ApprovalScope = z.enum(['once', 'session', 'always']);

export const Place = z.enum(['active', 'archived', 'trashed']);
export const RoleField = z.enum(['system', 'user', 'assistant', 'tool']);

export const UsageField = z.looseObject({
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

export const SummaryInstructions = z
  .string()
  .optional()
  .describe('What the agent module of the session wants kept in its summaries.');

export const AgentProblem = z
  .string()
  .optional()
  .describe(
    'The session remembers an agent module that is not run here: which one, and why. The session goes on without it.',
  );

export const ModelProblem = z
  .string()
  .optional()
  .describe(
    'The session or its agent names another model, which cannot be used here: its name, and why. The default answers in its place.',
  );
export const AnsweredBy = z
  .string()
  .optional()
  .describe(
    'The model that answers, `provider:model`, if it is not the one that the session is set to: its agent names one, or there is a problem.',
  );
