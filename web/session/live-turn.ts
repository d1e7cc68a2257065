import { sayCount, sayTokens } from '../../src/faces/rpc/client/index.ts';
import type { LiveEvent } from '../../src/operations/runs/live-event.ts';
import type { ShownMessage, ToolUse } from '../timeline/shown.ts';

/** The turn that is running, as far as it was heard of. What counts is in the log; this is for the eyes. */
export interface LiveTurn {
  readonly turn: string;
  readonly text: string;
  readonly reasoning: string;
  /** The answer's entry, once it is stored: the text shown here moves there. */
  readonly ended: string | undefined;
  readonly tools: readonly ToolUse[];
  /** Tools that wait for an approval. */
  readonly asking: readonly Asking[];
  /** What it is doing when it is not writing, in words. */
  readonly doing: string;
  readonly failure: { readonly code: string; readonly message: string } | undefined;
  readonly running: boolean;
  /** The record of the newest turn was read since this one ended: what it says is of this turn, or of a newer one. */
  readonly lookedUp: boolean;
}

export type ApprovalScope = Extract<LiveEvent, { type: 'approval-end' }>['scope'];

export interface Asking {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** How long a yes may hold. */
  readonly scopes: readonly ApprovalScope[];
  /** Then it is not run. */
  readonly until: number;
}

export function startTurn(turn: string): LiveTurn {
  return {
    turn,
    text: '',
    reasoning: '',
    ended: undefined,
    tools: [],
    asking: [],
    doing: 'Waiting for the model',
    failure: undefined,
    running: true,
    lookedUp: false,
  };
}

/** What a turn looks like after one more event. Pure. */
export function advanceTurn(live: LiveTurn, event: LiveEvent): LiveTurn {
  switch (event.type) {
    case 'input-stored':
      // A turn that is asked again begins anew: its failure is over.
      return startTurn(live.turn);
    case 'request-start':
      return { ...live, text: '', reasoning: '', doing: `Waiting for ${event.model}`, ended: undefined };
    case 'text-delta':
      return { ...live, text: live.text + event.text, doing: 'Writing' };
    case 'reasoning-delta':
      return { ...live, reasoning: live.reasoning + event.text, doing: 'Thinking' };
    case 'answer-so-far':
      return { ...live, text: event.text, reasoning: event.reasoning, doing: doingSoFar(event) };
    case 'answer-end':
      return { ...live, ended: event.entry };
    case 'approval-start': {
      const { type: _, ...asking } = event;
      // It comes again when one comes back to it.
      return { ...live, doing: 'Waiting for you', asking: [...without(live, event), asking] };
    }
    case 'approval-end':
      return { ...live, doing: 'Working', asking: without(live, event) };
    case 'tool-start':
      return {
        ...live,
        doing: `Running ${event.toolName}`,
        tools: [
          ...live.tools,
          { id: event.toolCallId, name: event.toolName, input: event.input, message: '', result: undefined },
        ],
      };
    case 'tool-end':
      return { ...live, tools: live.tools.filter(({ id }) => id !== event.toolCallId), doing: 'Working' };
    case 'compaction-start':
      return { ...live, doing: 'Summarising older messages to make room' };
    case 'compaction-end':
      return { ...live, doing: 'Waiting for the model' };
    case 'retry-start':
      return { ...live, doing: `${event.reason} Trying again (${event.attempt} of ${event.of})` };
    case 'request-mend':
      return { ...live, doing: `The model refused ${event.about}; asking without it` };
    case 'turn-end':
      return { ...live, running: false, doing: '', asking: [] };
    case 'turn-error':
      return {
        ...live,
        running: false,
        doing: '',
        asking: [],
        failure: { code: event.code, message: event.message },
      };
    default:
      return live;
  }
}

/** A turn after a message was stored: the stored answer takes the place of the text, also before its `answer-end` comes. */
export function withStoredMessage(live: LiveTurn, message: Pick<ShownMessage, 'id' | 'role'>): LiveTurn {
  const isAnswer = live.ended === message.id || (live.running && message.role === 'assistant');
  return isAnswer ? { ...live, text: '', reasoning: '', ended: undefined } : live;
}

function doingSoFar({ text, reasoning }: { readonly text: string; readonly reasoning: string }): string {
  if (text !== '') return 'Writing';
  return reasoning === '' ? 'Working' : 'Thinking';
}

function without({ asking }: LiveTurn, { toolCallId }: { readonly toolCallId: string }): Asking[] {
  return asking.filter((each) => each.toolCallId !== toolCallId);
}

/** What an automatic compaction did, for the notice with the way back; a draft has changed nothing yet. */
export interface AutoCompacted {
  readonly compactionId: string | undefined;
  readonly text: string;
}

export function sayAutoCompacted(event: LiveEvent): AutoCompacted | undefined {
  if (event.type !== 'compaction-end') return undefined;
  const saved = event.originalTokenCount - event.compressedTokenCount;
  if (event.did === 'draft')
    return {
      compactionId: undefined,
      text: `The context is full, and a draft summary of ${sayCount(event.messagesCompacted, 'message')} waits to be approved; it would save about ${sayTokens(saved)} tokens. “throughline compact --review” shows it.`,
    };
  if (event.did !== 'compact' || event.compactionId === null) return undefined;
  return {
    compactionId: event.compactionId,
    text: `Older messages were summarised to make room: ${sayCount(event.messagesCompacted, 'message')}, about ${sayTokens(saved)} tokens saved.${event.instead === null ? '' : ` ${event.instead}`}`,
  };
}
