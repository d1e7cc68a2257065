import { type Entry, isRef, type Message, type Part } from '../../record/index.ts';
import { isMedia, isNativeSummary, isStreamFrame } from '../../text/index.ts';
import { countAs, countParts, isReasoning, isSigned, withoutProviderFields } from '../piece.ts';
import { ANY_ID } from './label-text.ts';
import { plainValue, previewOf } from './plain-value.ts';
import { placeholder, renderMedia } from './render-media.ts';
import { renderOutput } from './render-output.ts';

/** A message as it can be sent, before its tool calls are paired. */
export interface Rendered {
  readonly parts: readonly Part[];
  /** The stored count when the message goes as it is; counted again only when it was changed. */
  readonly tokens: number;
  /** Whether item ids, signatures and names are the model's own and stay. */
  readonly bound: boolean;
  readonly dropped: readonly { readonly what: string; readonly reason: string }[];
}

interface Cached {
  own?: Rendered;
  foreign?: Rendered;
}

// Entries never change, so a session that holds on to its entries renders and counts each of them once.
const cache = new WeakMap<Entry, Cached>();

/** `bound`: the request goes to the very model that said this. */
export function renderMessage(entry: Entry, body: Message, bound: boolean): Rendered {
  let cached = cache.get(entry);
  if (!cached) {
    cached = {};
    cache.set(entry, cached);
  }
  const slot = bound ? 'own' : 'foreign';
  cached[slot] ??= render(entry, body, bound);
  return cached[slot];
}

function render(entry: Entry, body: Message, bound: boolean): Rendered {
  const dropped: { what: string; reason: string }[] = [];
  const drop = (what: string, reason: string): [] => {
    dropped.push({ what, reason });
    return [];
  };
  const parts = RENDER[body.role](entry, body, { bound, drop });
  const same = parts.length === body.parts.length && parts.every((part, index) => part === body.parts[index]);
  if (same) return { parts: body.parts, tokens: entry.tokens, bound, dropped };
  if (holdsPreview(body.parts)) drop('large values', 'sent as a preview');
  const like = RENDER[body.role]({ ...entry, id: ANY_ID }, body, { bound, drop: () => [] });
  for (const [index, part] of parts.entries()) countAs(part, like[index]!);
  return { parts, tokens: countParts(parts), bound, dropped };
}

interface How {
  readonly bound: boolean;
  drop(what: string, reason: string): [];
}

const RENDER: Record<Message['role'], (entry: Entry, body: Message, how: How) => readonly Part[]> = {
  user: renderUser,
  assistant: renderAssistant,
  tool: (entry, { parts }, { drop }) =>
    parts.flatMap((part) => {
      if (part.type === 'tool-result' && typeof part.toolCallId === 'string')
        return [renderResult(part, entry)];
      return part.type === 'tool-approval-response' ? [part] : drop('parts', 'not understood');
    }),
  system: (entry, { parts }) =>
    parts.flatMap((part) => (part.type === 'text' ? renderText(part, entry) : [])),
};

function renderUser(entry: Entry, { parts }: Message): readonly Part[] {
  const rendered = parts.flatMap((part): readonly Part[] => {
    if (part.type === 'text') return renderText(part, entry);
    if (isMedia(part)) return [renderMedia(part, entry)];
    return [{ type: 'text', text: JSON.stringify(plainValue(part, entry)) }];
  });
  // Providers refuse a message without content, and leaving it out would hide a message.
  return rendered.length > 0 ? rendered : [{ type: 'text', text: '(empty message)' }];
}

function renderAssistant(entry: Entry, { parts, status }: Message, { bound, drop }: How): readonly Part[] {
  const interrupted = status === 'interrupted';
  // Signatures are over the exact text, so reasoning goes as it came or not at all.
  const keeps = (part: Part) => bound && (!interrupted || isSigned(part)) && plainValue(part, entry) === part;
  const own = bound && parts.every((part) => !isReasoning(part) || keeps(part));
  return parts.flatMap((part): readonly Part[] => {
    if (isStreamFrame(part)) return [];
    if (isNativeSummary(part)) {
      const sent = bound && !interrupted && plainValue(part, entry) === part;
      return sent ? [part] : drop('summaries', 'of another provider');
    }
    if (isReasoning(part)) {
      if (keeps(part)) return [part];
      return drop('reasoning', bound ? 'incomplete' : 'from another model');
    }
    const clean = own ? part : withoutProviderFields(part);
    switch (clean.type) {
      case 'text':
        return renderText(clean, entry);
      case 'tool-call':
        return isCall(clean) ? [renderCall(clean, entry)] : drop('parts', 'not understood');
      case 'tool-result':
        return typeof clean.toolCallId === 'string'
          ? [renderResult(clean, entry)]
          : drop('parts', 'not understood');
      case 'tool-approval-request':
        return [clean];
      case 'file':
        return [own ? renderMedia(clean, entry) : placeholder(clean, entry)];
      case 'custom':
        return own ? [plainValue(clean, entry) as Part] : drop('parts', 'from another model');
      default:
        return drop('parts', 'not understood');
    }
  });
}

/** Providers refuse text without a visible character. */
function renderText(part: Part, entry: Entry): readonly Part[] {
  const ref = isRef(part) ? part : isRef(part.text) ? part.text : undefined;
  if (ref) return [{ type: 'text', text: previewOf(ref, entry) }];
  if (typeof part.text !== 'string' || part.text.trim() === '') return [];
  return [part.text.isWellFormed() ? part : { ...part, text: part.text.toWellFormed() }];
}

function isCall({ toolCallId, toolName }: Part): boolean {
  return typeof toolCallId === 'string' && typeof toolName === 'string';
}

function renderCall(part: Part, entry: Entry): Part {
  const plain = plainValue(part, entry) as Part;
  const { input } = plain;
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return plain;
  // Arguments that the model wrote as something else than an object, or that were set aside.
  return { ...plain, input: input === undefined || input === null ? {} : { input } };
}

function renderResult(part: Part, entry: Entry): Part {
  const toolName = typeof part.toolName === 'string' ? part.toolName.toWellFormed() : 'tool';
  const toolCallId = String(part.toolCallId).toWellFormed();
  const output = renderOutput(part.output, entry);
  const same = output === part.output && toolName === part.toolName && toolCallId === part.toolCallId;
  return same ? part : { ...part, toolCallId, toolName, output };
}

function holdsPreview(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return isRef(value) || Object.values(value).some(holdsPreview);
}
