import type { TurnEvent } from '../../agent/index.ts';
import type { AutoOutcome } from '../../compaction/index.ts';
import { isThroughlineError } from '../../errors.ts';
import type { LiveEvent } from './live-event.ts';

/** An event of a turn as clients get it: entries by id, because they come as entries anyway. */
export function toLiveEvent(event: TurnEvent): LiveEvent {
  switch (event.type) {
    case 'request-start':
      return {
        type: event.type,
        step: event.step,
        model: event.model,
        tokens: event.tokens,
        window: event.window,
        reserve: event.reserve,
        parts: event.parts,
        leftOut: event.leftOut.map((one) => ({ ...one })),
        steps: [...event.steps],
      };
    case 'answer-end': {
      const { entry, finishReason } = event;
      const { status = 'complete', usage = null } = entry.body.kind === 'message' ? entry.body : {};
      return { type: event.type, entry: entry.id, seq: entry.seq, status, finishReason, usage };
    }
    case 'tool-start':
      return { ...event, input: event.input ?? null };
    case 'tool-delta':
      return { ...event, output: event.output ?? null };
    case 'tool-end': {
      const { entry, ...rest } = event;
      return { ...rest, entry: entry.id, seq: entry.seq };
    }
    case 'compaction-end':
      return { type: event.type, ...toOutcome(event.outcome) };
    case 'turn-end': {
      const { status, text, answers, usage } = event.result;
      return { type: event.type, status, text, answers, usage };
    }
    default:
      return event;
  }
}

function toOutcome(outcome: AutoOutcome) {
  const result = 'result' in outcome ? outcome.result : undefined;
  const draft = outcome.did === 'draft' ? outcome.draft : undefined;
  return {
    did: outcome.did,
    draft: draft?.id ?? null,
    compactionId: result?.compactionId ?? null,
    messagesCompacted: result?.messagesCompacted ?? draft?.messages ?? 0,
    originalTokenCount: result?.originalTokenCount ?? draft?.tokensBefore ?? 0,
    compressedTokenCount: result?.compressedTokenCount ?? draft?.tokensAfter ?? 0,
    instead: result?.instead ?? null,
    reason: outcome.did === 'stop' ? outcome.reason : null,
    why: 'why' in outcome ? (outcome.why ?? null) : null,
  };
}

export function toTurnError(error: unknown): LiveEvent {
  const known = isThroughlineError(error) ? error : undefined;
  return {
    type: 'turn-error',
    code: known?.code ?? 'unexpected',
    message: known?.message ?? 'Something unexpected went wrong in the server.',
  };
}
