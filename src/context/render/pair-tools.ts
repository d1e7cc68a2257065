import type { Entry, Part } from '../../record/index.ts';
import { countParts } from '../piece.ts';
import type { Rendered } from './render-message.ts';

// Providers refuse a request in which a tool call has no result, a result has no call, or anything stands between the
// two. Whatever the log holds, what leaves here is: a message with calls, then one result for each of its calls.

/** A message on its way into the request. Hidden ones (excluded, removed) are not sent, but explain their partners. */
export interface Spoken {
  readonly entry: Entry;
  readonly role: 'user' | 'assistant' | 'tool' | 'system';
  readonly rendered: Rendered;
  readonly hidden: boolean;
}

export interface Result {
  readonly part: Part;
  readonly source: Entry;
  readonly tokens: number;
}

/** A message with the results of its calls; tool messages have been taken apart into these. */
export interface Paired {
  readonly spoken: Spoken;
  readonly parts: readonly Part[];
  readonly results: readonly Result[];
}

interface Unpaired {
  readonly entry: Entry;
  readonly reason: string;
  readonly tokens: number;
}

interface Call {
  readonly part: Part;
  readonly spoken: Spoken;
  answer?: Result;
  denied?: string;
}

export function pairTools(messages: readonly Spoken[]): { paired: Paired[]; unpaired: Unpaired[] } {
  const unpaired: Unpaired[] = [];
  const drafts: { spoken: Spoken; parts: readonly Part[]; calls: Call[] }[] = [];
  // By the id in the log. A newer message that uses an id again takes it over: small models number their calls afresh.
  const open = new Map<string, Call[]>();
  const approvals = new Map<unknown, unknown>();

  function answer(spoken: Spoken, part: Part, index: number): void {
    const result = { part, source: spoken.entry, tokens: tokensOf(spoken, index) };
    const calls = open.get(String(part.toolCallId));
    const call = calls?.find((one) => !one.answer);
    const reason = !calls ? 'without a call' : !call ? 'repeated' : 'its call is excluded';
    if (!call || call.spoken.hidden) {
      if (!spoken.hidden) unpaired.push({ entry: spoken.entry, reason, tokens: result.tokens });
      if (call) call.answer = result;
    } else {
      call.answer = spoken.hidden ? interrupted(call, EXCLUDED) : result;
    }
  }

  for (const spoken of messages) {
    const { role, rendered } = spoken;
    if (role === 'tool') {
      for (const [index, part] of rendered.parts.entries()) {
        if (part.type === 'tool-result') answer(spoken, part, index);
        else if (part.approved === false) deny(open, approvals.get(part.approvalId), part.reason);
      }
      continue;
    }
    const calls: Call[] = [];
    let parts = rendered.parts;
    if (role === 'assistant' && parts.some(isToolPart)) {
      const kept = keepProviderPairs(rendered);
      for (const part of kept) {
        if (part.type === 'tool-approval-request') approvals.set(part.approvalId, part.toolCallId);
        if (part.type === 'tool-call' && part.providerExecuted !== true) calls.push({ part, spoken });
      }
      for (const [id, group] of Map.groupBy(calls, ({ part }) => String(part.toolCallId)))
        open.set(id, group);
      const inline = providerIds(kept);
      parts = kept.filter((part) => {
        if (part.type === 'tool-approval-request') return false;
        if (part.type !== 'tool-result' || inline.has(part.toolCallId)) return true;
        answer(spoken, part, rendered.parts.indexOf(part));
        return false;
      });
      if (kept.length < rendered.parts.length && !spoken.hidden) {
        unpaired.push({ entry: spoken.entry, reason: 'run by another provider or unfinished', tokens: 0 });
      }
    }
    drafts.push({ spoken, parts, calls });
  }

  const paired = drafts
    .filter(({ spoken }) => !spoken.hidden)
    .map(({ spoken, parts, calls }) => ({
      spoken,
      parts,
      results: calls.map((call) => call.answer ?? interrupted(call, call.denied)),
    }));
  return { paired, unpaired };
}

const EXCLUDED = 'The result is excluded from this conversation.';
const INTERRUPTED = 'Interrupted: no result was recorded. The tool may or may not have run.';

/** An honest result for a call that has none in view. */
function interrupted({ part, spoken }: Call, why: string = INTERRUPTED): Result {
  const result = {
    type: 'tool-result',
    toolCallId: part.toolCallId,
    toolName: part.toolName,
    output: { type: 'error-text', value: why },
  };
  return { part: result, source: spoken.entry, tokens: countParts([result]) };
}

function deny(open: ReadonlyMap<string, Call[]>, callId: unknown, reason: unknown): void {
  const call = open.get(String(callId))?.find((one) => !one.answer);
  if (call)
    call.denied = `Denied by the user${typeof reason === 'string' && reason ? `: ${reason.toWellFormed()}` : ''}.`;
}

function providerIds(parts: readonly Part[]): Set<unknown> {
  return new Set(
    parts.flatMap((part) =>
      part.type === 'tool-call' && part.providerExecuted === true ? [part.toolCallId] : [],
    ),
  );
}

function isToolPart({ type }: Part): boolean {
  return type.startsWith('tool-');
}

/** A message that is one result costs what the log says; one that holds several is counted result by result. */
function tokensOf({ rendered, role }: Spoken, index: number): number {
  if (role === 'tool' && rendered.parts.length === 1) return rendered.tokens;
  return countParts([rendered.parts[index]!]);
}

/**
 * Tools that the provider ran itself: call and result stand in one assistant message, in the provider's own form. They go back
 * only to the model they came from and only as whole pairs; the missing half cannot be written for a provider.
 */
function keepProviderPairs({ parts, bound }: Rendered): readonly Part[] {
  const ran = new Map<unknown, number>();
  for (const [index, part] of parts.entries()) {
    if (part.type === 'tool-call' && part.providerExecuted === true && !ran.has(part.toolCallId)) {
      ran.set(part.toolCallId, index);
    }
  }
  if (ran.size === 0) return parts;

  const answered = new Map<unknown, number>();
  for (const [index, part] of parts.entries()) {
    const call = ran.get(part.toolCallId);
    if (part.type !== 'tool-result' || call === undefined || call > index) continue;
    if (!answered.has(part.toolCallId)) answered.set(part.toolCallId, index);
  }
  return parts.filter((part, index) => {
    const call = ran.get(part.toolCallId);
    if (call === undefined) return true;
    if (part.type === 'tool-call' && part.providerExecuted !== true) return true;
    if (part.type !== 'tool-call' && part.type !== 'tool-result') return true;
    const result = answered.get(part.toolCallId);
    return bound && result !== undefined && (index === call || index === result);
  });
}
