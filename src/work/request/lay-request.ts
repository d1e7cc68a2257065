import { cutText } from '../../context/index.ts';
import { ThroughlineError } from '../../errors.ts';
import type { Loop } from '../../record/index.ts';
import type { Checkpoint } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';
import { formatContext } from '../context/format-context.ts';
import type { SessionContext } from '../context/session-context.ts';
import { fitMessages } from './fit-messages.ts';
import { renderCheckpoint } from './render-checkpoint.ts';
import type { RecentMessage } from './session-view.ts';

/** What a request is made of. */
export interface RequestParts {
  readonly role: string;
  readonly context: SessionContext;
  /** Checkpoints of other sessions that this one is shown, by their id. */
  readonly shown: readonly { readonly session: string; readonly checkpoint: Checkpoint }[];
  readonly checkpoint: Checkpoint;
  readonly messages: readonly RecentMessage[];
  readonly loop?: Loop | undefined;
  readonly userMessage: string;
}

export interface WorkRequest {
  readonly systemPrompt: string;
  readonly userPrompt: string;
  /** Of both, by the local estimate. Never more than the budget. */
  readonly totalTokens: number;
}

/** The most that a part takes of the budget, however much of it there is. What is left is for messages. */
export const SHARES = { context: 0.4, checkpoint: 0.25, shown: 0.1 } as const;
/** The least room that the conversation gets beside a question that is too long. */
const LEAST_ROOM = 0.1;
const NOTE = '[… left out: the message is over the budget of the request …]';

/**
 * Role, context, checkpoint, recent conversation, in this order and from what changes least to what changes most; then
 * the question. Pure, and never over the budget: a role that does not fit is `head-too-large`.
 */
export function layRequest(parts: RequestParts, budget: number): WorkRequest {
  const { role, userMessage } = parts;
  const firm = countText(role) + FRAME;
  const userPrompt =
    cutText(userMessage.toWellFormed(), {
      maxTokens: Math.floor(budget * (1 - LEAST_ROOM)) - firm,
      note: NOTE,
    }) ?? refuse(role, budget);
  // Texts that stand side by side may count as one token more or less than each by itself, so the whole is counted.
  for (let room = budget - firm - countText(userPrompt); ; room = Math.floor(room * 0.9) - 10) {
    const systemPrompt = laySystem(parts, { room: Math.max(0, room), budget }).toWellFormed();
    const totalTokens = countText(systemPrompt) + countText(userPrompt);
    if (totalTokens <= budget) return { systemPrompt, userPrompt, totalTokens };
    if (room <= 0) return refuse(role, budget);
  }
}

/** Headings and blank lines. */
const FRAME = 20;

function laySystem(parts: RequestParts, { room, budget }: { room: number; budget: number }): string {
  const share = (part: keyof typeof SHARES) => Math.floor(Math.min(budget, room * 1.25) * SHARES[part]);
  const context = formatContext(parts.context, share('context'));
  const checkpoint = renderCheckpoint(parts.checkpoint, { maxTokens: share('checkpoint') });
  const each = Math.floor(share('shown') / Math.max(1, parts.shown.length));
  const shown = parts.shown.map(({ session, checkpoint: theirs }) =>
    renderCheckpoint(theirs, { title: `# Checkpoint of ${session} (read-only)`, maxTokens: each }),
  );
  const loop = parts.loop ? renderLoop(parts.loop, Math.floor(room * 0.1)) : '';
  const fixed = [context, ...shown, checkpoint, loop].filter((text) => text !== '');
  const used = fixed.reduce((sum, text) => sum + countText(text) + 2, 0);
  const messages = fitMessages(parts.messages, { maxTokens: room - used, question: parts.userMessage });
  return [parts.role, context, ...shown, checkpoint, messages, loop]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Where the loop stands changes with every iteration, so it comes last. */
function renderLoop({ iteration, passed, failed, lastError }: Loop, maxTokens: number): string {
  const head = [
    '# Loop',
    '',
    `Iteration ${iteration} is done. Passed: ${passed.join(', ') || 'nothing'}. Failed: ${failed.join(', ') || 'nothing'}.`,
  ].join('\n');
  if (lastError === null) return countText(head) <= maxTokens ? head : '';
  const whole = `${head}\n\nLast error:\n${lastError}`;
  return cutText(whole, { maxTokens, note: '[…]' }) ?? '';
}

function refuse(role: string, budget: number): never {
  const tokens = countText(role);
  throw new ThroughlineError(
    'head-too-large',
    `The role alone takes ${tokens} of the ${budget} tokens that a request may have, and nothing else fits. Shorten the agent description, or raise the budget.`,
    { details: { tokens, budget } },
  );
}
