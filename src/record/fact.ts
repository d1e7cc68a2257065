import { z } from 'zod';
import { EntryId } from './entry-id.ts';
import { SessionId } from './session-id.ts';

/** A fact is a line, not a page: a longer text belongs into a file of the project. */
export const LONGEST_FACT = 2000;

/** Who said it: a person, an agent at work in a session, or the summary of one. `entries` are where it can be read. */
export const FactSource: z.ZodType<FactSource> = z.looseObject({
  by: z.enum(['person', 'agent', 'summary']),
  name: z.string().min(1).max(200).optional(),
  session: SessionId.optional(),
  entries: z.array(EntryId).max(100).optional(),
});
export interface FactSource {
  by: 'person' | 'agent' | 'summary';
  name?: string | undefined;
  session?: SessionId | undefined;
  entries?: EntryId[] | undefined;
}

/** A line of project memory, from now on or once it is accepted. Its entry's id is what the fact is called by. */
export const StatedFact = z.strictObject({
  kind: z.literal('fact'),
  step: z.enum(['added', 'proposed']),
  text: z.string().min(1).max(LONGEST_FACT),
  list: z.enum(['facts', 'decisions']),
  source: FactSource,
  /** Older facts that this one stands in for. They stay in the log and are no longer shown. */
  supersedes: z.array(EntryId).min(1).max(100).optional(),
});
export type StatedFact = z.infer<typeof StatedFact>;

/** A judgement of a fact. It need not be in the log: proposals without an acceptance are not. */
export const JudgedFact = z.strictObject({
  kind: z.literal('fact'),
  step: z.enum(['accepted', 'declined', 'retracted']),
  fact: EntryId,
  source: FactSource,
  reason: z.string().max(LONGEST_FACT).optional(),
});
export type JudgedFact = z.infer<typeof JudgedFact>;

/** One step in the life of a line of project memory. Only logs of projects hold facts. */
export const Fact = z.discriminatedUnion('step', [StatedFact, JudgedFact]);
export type Fact = z.infer<typeof Fact>;
