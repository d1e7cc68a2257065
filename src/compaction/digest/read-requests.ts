import type { EntryId } from '../../record/index.ts';
import { type Piece, type Reading, splitSentences } from '../../text/index.ts';
import { type Outcome, readOutcome } from './read-outcome.ts';

/** Something the person asked for. `text` is a piece of what they wrote, word for word. */
export interface AskedRequest {
  readonly text: string;
  readonly entry: EntryId;
  state: 'open' | 'finished' | 'dropped';
  /** The answer that finished it. */
  answer?: EntryId;
  /** An answer said that it was not done: only one that says it was can finish it. */
  held?: true;
  /** Asked for work, not only said or asked something in a conversation. */
  readonly work: boolean;
  /** Worth quoting as the subject of the conversation. */
  readonly telling: boolean;
}

export interface Requests {
  readonly all: readonly AskedRequest[];
  /** Tools were used, so whatever the person says is about work. */
  readonly agentic: boolean;
}

/**
 * The requests of the range and their outcomes. An answer without tool calls finishes open requests, unless it reports an
 * omission, or asks back; a request that was interrupted and not taken up again is dropped: neither finished nor pending,
 * because that is unknown.
 */
export function readRequests(readings: readonly Reading[]): Requests {
  const all: AskedRequest[] = [];
  let open: AskedRequest[] = [];
  let agentic = false;
  let interrupted = false;
  for (const { entry, pieces } of readings) {
    const { body } = entry;
    if (body.kind !== 'message') continue;
    if (pieces.some(({ kind }) => kind !== 'said')) agentic = true;
    const said = pieces.filter((piece) => piece.kind === 'said' && piece.role === body.role).map(textOf);
    if (body.role === 'user') {
      if (stops(body.parts)) interrupted = true;
      const request = toRequest(said.join('\n'), entry.id);
      if (!request) continue;
      if (interrupted) for (const other of open) other.state = 'dropped';
      open = interrupted ? [request] : [...open, request];
      interrupted = false;
      all.push(request);
    } else if (body.role === 'assistant') {
      interrupted = body.status === 'interrupted';
      const answers = said.some((text) => /\S/.test(text)) && pieces.every(({ kind }) => kind === 'said');
      if (!answers || interrupted || open.length === 0) continue;
      const outcome = readOutcome(said.join('\n'));
      for (const request of open) settle(request, outcome, entry.id);
      open = open.filter(({ state }) => state === 'open').slice(-MOST_OPEN);
    }
  }
  return { all, agentic };
}

function textOf(piece: Piece): string {
  return piece.kind === 'said' ? piece.text : '';
}

function stops(parts: readonly { readonly [field: string]: unknown }[]): boolean {
  return parts.some(({ text }) => typeof text === 'string' && /^\s*\[Request interrupted/.test(text));
}

/** Requests that were left open longer ago than so many requests stay open. */
const MOST_OPEN = 20;

function settle(request: AskedRequest, outcome: Outcome, answer: EntryId): void {
  if (outcome.leavesOpen(request.text)) request.held = true;
  else if (!(request.held || outcome.asks) || outcome.saysDone(request.text)) {
    request.state = 'finished';
    request.answer = answer;
  }
}

const LONGEST = 200;
/** Words that continue an earlier request, or only greet. */
const NOTHING_NEW =
  /^(?:(?:yes|yep|yeah|ok|okay|sure|go on|go ahead|continue|proceed|do it|please|thanks?|thank you|great|perfect|nice|cool|good|right|correct|hi|hello|hey|y|k|はい|お願いします|続けて|ja|weiter|oui|sí|好的|继续|可以)[\s,.!。！]*)+$/i;
const POLITE =
  /^(?:\S+[,:] )?(?:please|can you|could you|would you|will you|help me|i need you|i want you|i['’]?d like you|bitte|por favor|s['’]il (?:te|vous) plaît)\b|\bplease[.!]?$|してください|して下さい|してほしい|お願い|^请|帮我/i;
/** Lines that people copy from a screen: log levels, prompts, times, stack frames. */
const PASTED =
  /^(?:\[[^\]]*\]|\S{1,60}@\S{1,60}[^\n]{0,60}[%$#] |[$%] |\d{4}-\d\d|at \S+ \(|\W*(?:error|warn(?:ing)?|info|debug|hint)\b)/i;
/** Verbs that ask for work even between people who only talk; "look", "try" or "show me" do not. */
const WORK =
  /^(?:(?:now|then|also|and|next|first|ok|okay)[, ]+)?(?:add|build|commit|compare|convert|debug|delete|deploy|document|draft|edit|enable|explain|extract|fix|format|generate|implement|improve|install|investigate|list|merge|migrate|optimi[sz]e|prepare|publish|push|refactor|release|remove|rename|replace|review|rewrite|run|search|set up|summari[sz]e|switch|test|translate|update|upgrade|verify|write)\b(?!.*!$)/i;

function isNothingNew(text: string): boolean {
  const plain = text.trim();
  return plain.length < 120 && NOTHING_NEW.test(plain);
}

/** A command that the person ran beside the talk, as agents record it: it asks for nothing. */
export const RAN = /^\s*Ran `/;

function toRequest(text: string, entry: EntryId): AskedRequest | undefined {
  if (!/[\p{L}\p{N}]{2}/u.test(text) || isNothingNew(text) || RAN.test(text)) return undefined;
  const all = splitSentences(text).filter((sentence) => !isNothingNew(sentence));
  const own = all.filter((sentence) => !PASTED.test(sentence));
  const sentences = own.length > 0 ? own : all;
  const asked = sentences.find(asksForWork);
  const chosen = asked ?? sentences.find((sentence) => saysMore(sentence)) ?? sentences[0];
  return chosen === undefined
    ? undefined
    : {
        text: cutWords(chosen, LONGEST),
        entry,
        state: 'open',
        work: asked !== undefined,
        telling: asked !== undefined || saysMore(chosen),
      };
}

export function asksForWork(sentence: string): boolean {
  return POLITE.test(sentence) || WORK.test(sentence);
}

/** More than a greeting or a nod: six words, or as much in a script without spaces. */
function saysMore(sentence: string): boolean {
  return sentence.split(' ').length >= 6 || (sentence.match(/\p{Lo}/gu)?.length ?? 0) >= 10;
}

/** The first words of a text, at most `longest` characters, never half a word or half a character. */
export function cutWords(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest + 1);
  const space = cut.search(/\s\S*$/);
  const kept = space > longest / 2 ? cut.slice(0, space) : cut.slice(0, longest);
  return /[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept;
}
