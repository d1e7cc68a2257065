/**
 * The most that each part takes of the room beside role and question, and the least that the conversation keeps. The head is
 * part of the share of the context, so that a long system prompt takes nothing from checkpoint and conversation.
 */
const SHARES = { head: 0.3, context: 0.4, shown: 0.1, loop: 0.1, conversation: 0.15 } as const;

export interface Limits {
  readonly head: number;
  readonly shown: number;
  readonly loop: number;
  /** What the head leaves of their common share. */
  context(head: number): number;
  /** What the other parts leave, less the share of the conversation: a quarter of the room at the least. */
  checkpoint(used: number): number;
}

/** Tokens that each part of a request may take of the room. */
export function limitsOf(room: number): Limits {
  const share = (part: keyof typeof SHARES) => Math.max(0, Math.floor(room * SHARES[part]));
  return {
    head: share('head'),
    shown: share('shown'),
    loop: share('loop'),
    context: (head) => Math.max(0, share('context') - head),
    checkpoint: (used) => Math.max(0, Math.floor(room) - used - share('conversation')),
  };
}
