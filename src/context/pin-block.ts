import { type Entry, type Part, summaryIn } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';
import { isMedia, type SayOptions, sayMessage } from '../text/index.ts';
import { labelPin, PINS_LEAD } from './label-text.ts';
import { countParts } from './part-facts.ts';
import type { Piece } from './piece.ts';
import { renderMessage } from './render-message.ts';

interface Pin {
  readonly parts: readonly Part[];
  readonly tokens: number;
}

const cache = new WeakMap<Entry, Pin>();
const LEAD: Part = { type: 'text', text: PINS_LEAD };

/**
 * The pinned entries that no longer stand in the conversation, word for word, as one message of labelled history: a
 * pinned tool output must not speak with the system's voice. In the order they were said.
 */
export function pinPiece(entries: readonly Entry[]): Piece | undefined {
  if (entries.length === 0) return undefined;
  const pins = entries.toSorted((a, b) => a.seq - b.seq).map((entry) => ({ entry, ...pinOf(entry) }));
  return {
    role: 'user',
    share: 'pinned',
    parts: [LEAD, ...pins.flatMap(({ parts }) => parts)],
    sources: [undefined, ...pins.flatMap(({ entry, parts }) => parts.map(() => entry))],
    tokens: pins.reduce((sum, { tokens }) => sum + tokens, countParts([LEAD])),
  };
}

/** What it costs to keep an entry as a pin. */
export function pinTokens(entry: Entry): number {
  return pinOf(entry).tokens;
}

function pinOf(entry: Entry): Pin {
  let pin = cache.get(entry);
  if (!pin) {
    const parts = pinParts(entry);
    pin = { parts, tokens: countParts(parts) };
    cache.set(entry, pin);
  }
  return pin;
}

function pinParts(entry: Entry): readonly Part[] {
  const { body } = entry;
  if (body.kind !== 'message') {
    const held = summaryIn(body);
    return [labelled(entry, body.kind, held ? renderSummary(held) : JSON.stringify(body))];
  }
  const rendered = renderMessage(entry, body, false);
  const { parts } = rendered;
  return [
    labelled(entry, body.role, sayMessage(rendered, WORDING)),
    ...(body.role === 'user' ? parts.filter(isMedia) : []),
  ];
}

const WORDING: SayOptions = {
  call: ({ name, input }) => `Called ${name} with ${input}`,
  result: ({ name, output }) => `Result of ${name}:\n${output}`,
};

function labelled(entry: Entry, who: string, text: string): Part {
  const label = labelPin(entry, who);
  return { type: 'text', text: (text === '' ? label : `${label}\n${text}`).toWellFormed() };
}
