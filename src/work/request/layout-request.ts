import {
  type ContextState,
  cutText,
  fitContext,
  type HeadPiece,
  RECALL_TOKENS,
  type Recalled,
  recallPiece,
  withoutAnswers,
} from '../../context/index.ts';
import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import { type Entry, isHidden, type Loop } from '../../record/index.ts';
import { countText } from '../../tokens/index.ts';
import { formatContext } from '../context/format-context.ts';
import type { WorkSessionContext } from '../context/session-context.ts';
import { layoutHead } from './layout-head.ts';
import { withoutQuestion } from './read-session.ts';
import { type LeftOutLines, renderWorkCheckpoint, type ShownCheckpoint } from './render-checkpoint.ts';

// A request is sent as two texts, not as messages. The fitter of `context` decides which messages are in it; role, head,
// context, checkpoints, loop and question are the fitter's head.

export interface RequestParts {
  readonly role: string;
  /** The agent module's instructions, the session's system prompt, the project's facts. */
  readonly head?: readonly HeadPiece[];
  readonly context: WorkSessionContext;
  /** Checkpoints of other sessions that this one is shown, by their id. */
  readonly shown: readonly { readonly session: string; readonly checkpoint: ShownCheckpoint }[];
  readonly checkpoint: ShownCheckpoint;
  /** As lines of text, oldest first. */
  readonly messages: readonly Entry[];
  /** Pinned messages that a compaction covers, as lines of text. */
  readonly pinned?: readonly Entry[];
  readonly marks?: ContextState['marks'];
  readonly loop?: Loop | undefined;
  readonly userMessage: string;
  /** What compacted messages say about the question, best first. Shown where the other parts leave room. */
  readonly recalled?: readonly Recalled[];
  /** The most that is shown of it, 2,000 unless given. */
  readonly recallTokens?: number;
  /** The session of the request, for the note about lines that are not shown. */
  readonly session?: string;
}

export interface WorkRequest {
  readonly systemPrompt: string;
  readonly userPrompt: string;
  /** Of both, as the desk counts. Never more than the budget. */
  readonly totalTokens: number;
  /** Lines of the checkpoint that there is no room for, by list; absent if all are shown. */
  readonly leftOut?: LeftOutLines;
}

/** The least room that the other parts get beside a question that is too long. */
const LEAST_ROOM = 0.1;
const NOTE = '[… left out: the message is over the budget of the request …]';
const HEADING = '# Recent Conversation';
const RECALLED = '# Recalled From Earlier Messages';
const NO_MARKS: ContextState['marks'] = { pinned: [], excluded: [], removed: [] };
/** Headings and blank lines. */
const frameTokens = () => 20 + countText(`${HEADING}\n\n${notShown(100_000)}\n\n`);

/**
 * Role, head, context, checkpoint, recent conversation, loop, recalled messages: from what changes least to what changes
 * most; then the question. Pure, and never over the budget: a role or pins that do not fit are `head-too-large`.
 */
export function layoutRequest(parts: RequestParts, budget: number): WorkRequest {
  const { role, userMessage } = parts;
  const firm = countText(role) + frameTokens();
  const userPrompt =
    cutText(userMessage.toWellFormed(), {
      maxTokens: Math.floor(budget * (1 - LEAST_ROOM)) - firm,
      note: NOTE,
    }) ?? refuse(role, budget);
  const asked = countText(userPrompt);
  // Texts that stand side by side may count as a few tokens more than each alone, so the whole is counted.
  for (let most = budget; most - firm - asked > 0; ) {
    const { text, leftOut } = laySystem(parts, { most, fixed: firm + asked });
    const systemPrompt = text.toWellFormed();
    const totalTokens = countText(systemPrompt) + asked;
    if (totalTokens <= budget)
      return { systemPrompt, userPrompt, totalTokens, ...(Object.keys(leftOut).length > 0 && { leftOut }) };
    most -= Math.max(10, totalTokens - budget);
  }
  return refuse(role, budget);
}

function laySystem(
  parts: RequestParts,
  { most, fixed }: { most: number; fixed: number },
): { text: string; leftOut: LeftOutLines } {
  const limits = limitsOf(most - fixed);
  const around = layoutHead(parts.head ?? [], limits.head);
  const context = formatContext(parts.context, limits.context(countText(around)));
  const each = Math.floor(limits.shown / Math.max(1, parts.shown.length));
  const shown = parts.shown.map(({ session, checkpoint }) => {
    const title = `# Checkpoint of ${session} (read-only)`;
    return renderWorkCheckpoint(checkpoint, { title, maxTokens: each, session }).text;
  });
  const loop = parts.loop ? renderLoop(parts.loop, limits.loop) : '';
  const used = countAll([around, context, ...shown, loop]);
  const { text: checkpoint, leftOut } = renderWorkCheckpoint(parts.checkpoint, {
    maxTokens: limits.checkpoint(used),
    ...(parts.session !== undefined && { session: parts.session }),
  });
  const firm = [around, context, ...shown, checkpoint, loop];
  const head = firm.map((text): HeadPiece => ({ part: 'work', text }));
  const conversation = layConversation(parts, { most: most - fixed, head });
  const recalled = layRecalled(parts, most - fixed - countAll([...firm, conversation]));
  const all = [parts.role, around, context, ...shown, checkpoint, conversation, loop, recalled];
  return { text: all.filter((text) => text !== '').join('\n\n'), leftOut };
}

function countAll(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countText(text), 0);
}

/** Messages are never left out for it, as in every other context. */
function layRecalled({ recalled = [], recallTokens = RECALL_TOKENS }: RequestParts, left: number): string {
  if (recalled.length === 0) return '';
  const found = recallPiece(recalled, Math.min(recallTokens, left - countText(`${RECALLED}\n\n`)));
  return found ? [RECALLED, ...found.piece.parts.map(({ text }) => String(text))].join('\n\n') : '';
}

/** The newest messages that fit beside the head, and every pin. Says how many messages are not shown. */
function layConversation(
  { messages, pinned = [], marks = NO_MARKS, userMessage }: RequestParts,
  { most, head }: { most: number; head: readonly HeadPiece[] },
): string {
  const frontier = withoutQuestion(messages, userMessage);
  const { pieces } = fitMessages({ head, frontier, pinned, marks }, most);
  const lines = pieces.flatMap(({ share, parts, sources }) => {
    const texts = parts.map(({ text }) => String(text));
    // The fitter's own notes name entries of the log; a request says how many messages it does not show.
    return share === 'pinned' ? [texts.join('\n')] : texts.filter((_, index) => sources[index] !== undefined);
  });
  if (lines.length === 0) return '';
  const shown = new Set(pieces.flatMap(({ sources }) => sources.map((entry) => entry?.id)));
  const left = frontier.filter((entry) => !isHidden(marks, entry) && !shown.has(entry.id)).length;
  return [HEADING, ...(left > 0 ? [notShown(left)] : []), ...lines].join('\n\n');
}

/** Where not even the newest message fits, the pins alone are shown. */
function fitMessages(state: ContextState, most: number): ReturnType<typeof fitContext> {
  const budget = { window: Math.max(2, most), reserve: 0 };
  try {
    return fitContext(state, budget);
  } catch (error) {
    if (!isThroughlineError(error, 'head-too-large') || state.frontier.length === 0) throw error;
    const every = new Set(state.frontier.map(({ id }) => id));
    return fitContext({ ...state, ...withoutAnswers(state, every) }, budget);
  }
}

function notShown(messages: number): string {
  return `(${messages} earlier ${messages === 1 ? 'message is' : 'messages are'} not shown.)`;
}

/** The state of the loop changes with every iteration, so it comes last. */
export function renderLoop({ iteration, passed, failed, lastError }: Loop, maxTokens: number): string {
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

/**
 * The most that each part takes of the room beside role and question, and the least that the conversation keeps. The head is
 * part of the share of the context, so that a long system prompt takes nothing from checkpoint and conversation.
 */
const SHARES = { head: 0.3, context: 0.4, shown: 0.1, loop: 0.1, conversation: 0.15 } as const;

interface Limits {
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
