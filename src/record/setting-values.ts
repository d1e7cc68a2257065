import { z } from 'zod';
import { EntryId } from './entry-id.ts';
import { Seq } from './seq.ts';
import { SessionId } from './session-id.ts';

/** A part of a conversation that a provider refused, by the model that must not be sent it again. */
export const Refused = z.discriminatedUnion('about', [
  z.looseObject({
    about: z.enum(['image', 'document']),
    model: z.string(),
    entry: EntryId,
    part: z.int().min(0),
    /** Its place in the output of a tool, if it is in one. */
    item: z.int().min(0).optional(),
  }),
  z.looseObject({ about: z.literal('reasoning'), model: z.string(), upTo: Seq }),
]);
export type Refused = z.infer<typeof Refused>;

/** The window that a model turned out to have when a request was refused as too long. */
export const LearntWindow = z.looseObject({
  model: z.string(),
  /** The window that was assumed; learnt is what holds for that assumption. */
  declared: z.number().positive(),
  window: z.number().positive(),
  /** The log went up to here: earlier answers say nothing about how this model counts. */
  at: Seq,
  /** Tokens of the refused request, by the local estimate and as the provider counted them. */
  estimated: z.number().optional(),
  counted: z.number().optional(),
});
export type LearntWindow = z.infer<typeof LearntWindow>;

/** A conversation of the agent SDK, and how much of a session's log it holds. */
export const SdkConversation = z.looseObject({
  /** The SDK's session id. */
  id: z.string(),
  /** The session whose log the conversation follows. */
  session: SessionId,
  /** The question of its last turn: everything up to there is in the conversation. */
  heard: Seq,
  /** Turns so far, which tells two turns with the same question apart. */
  turns: z.int(),
  /** A question that is on its way: the conversation may hold more than `heard` says. */
  asking: Seq.optional(),
});
export type SdkConversation = z.infer<typeof SdkConversation>;

/** A tool that is approved for the rest of a session. The seal holds on the machine that made it alone. */
export const SealedApproval = z.looseObject({
  agent: z.string(),
  toolName: z.string(),
  at: z.number(),
  by: z.string().optional(),
  seal: z.string(),
});
export type SealedApproval = z.infer<typeof SealedApproval>;

/** The place of a session on a board. */
export const WorkPlace = z.looseObject({
  board: SessionId,
  feature: z.string(),
  type: z.string(),
  agent: z.string(),
  task: z.string().optional(),
  state: z.string().optional(),
});
export type WorkPlace = z.infer<typeof WorkPlace>;

/** The return of a task to the state of a session, and the iterations of the session's loop before it. */
export const LoopRound = z.looseObject({ move: EntryId, after: z.int().min(0) });

/** A message for a session whose loop runs in another process. */
export const LeftMessage = z.looseObject({
  /** A fork of the session has the setting too, and the message is not for it. */
  session: SessionId,
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  at: z.number(),
});

/** The transcript that a session was imported from. */
export const Origin = z.looseObject({ format: z.string(), session: z.string() });
export interface Origin {
  readonly format: string;
  readonly session: string;
}

/** Since when a project is in a folder, and until when it was. Both in milliseconds. */
export const FolderLink = z.looseObject({ linkedAt: z.number(), leftAt: z.number().optional() });
export type FolderLink = z.infer<typeof FolderLink>;
