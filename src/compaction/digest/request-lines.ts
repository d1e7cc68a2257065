import { contentWords } from './language/content-words.ts';
import { asks, type Cues, OFFER } from './language/cues.ts';
import { joined, type Statement } from './language/statements.ts';
import { type Act, createLine, type Line, type LineSection } from './lines.ts';
import type { Turn, Utterance } from './read-turns.ts';
import { isBareAcceptance } from './talk-acts.ts';

const REQUEST = 1;
const LATER_PART = 0.55;
const PACKED = 260;

/** What the person wants of an agent with tools, in pieces that can be read alone. */
export function requestLines(
  turn: Turn,
  { before, cues }: { before: Utterance | undefined; cues: Cues },
): Line[] {
  const { user } = turn;
  if (!user) return [];
  const line = (
    text: string,
    fields: { act: Act; section: LineSection; value: number; at?: number; also?: Utterance },
  ) =>
    createLine({
      text,
      from: [...(fields.also ? [fields.also.entry] : []), user.entry],
      by: 'user',
      act: fields.act,
      section: fields.section,
      value: fields.value,
      at: fields.at ?? 0,
      place: user.place,
      turn: turn.index,
    });
  const taken = before && adoptedBy(user, { before, cues });
  if (before && taken)
    return [line(taken, { act: 'adopted', section: 'decisions', value: 0.9, also: before })];
  return packed(user.statements).flatMap((text, at) => {
    const words = contentWords(text).size;
    if (words === 0 || (words < 2 && cues.accepts.test(text))) return [];
    const value = (at === 0 ? REQUEST : LATER_PART) * Math.min(1, (words + 1) / 4);
    const told = withoutQuestions(text);
    if (cues.strict.test(told))
      return [line(text, { act: 'strict', section: 'standing', value: value * 1.4, at })];
    if (cues.rejects.test(text) || cues.revises.test(told))
      return [line(text, { act: 'changed', section: 'decisions', value: value * 1.1, at })];
    if (cues.chooses.test(told)) return [line(text, { act: 'choice', section: 'decisions', value, at })];
    return [line(text, { act: 'asked', section: 'facts', value, at })];
  });
}

/** A question asks; what it names is not decided by it. */
function withoutQuestions(text: string): string {
  const sentences = text.split(/(?<=[.!?。！？])\s+/);
  return sentences.filter((sentence) => !asks(sentence)).join(' ');
}

const NUMBERS = /^[\p{L}\s,]{0,30}?((?:#?\d{1,2}(?:\s*(?:,|and|und|et|y|e|и|&|\+)?\s*))+)[.!]?$/u;

/** "ok", "do 2", "implement 1 and 3": with the items or the offer that it answers. */
function adoptedBy(user: Utterance, { before, cues }: { before: Utterance; cues: Cues }): string | undefined {
  const text = user.text.trim();
  const numbers = text.length < 60 ? NUMBERS.exec(text) : null;
  if (numbers) {
    const wanted = [...numbers[1]!.matchAll(/\d+/g)].map(([number]) => Number(number));
    const items = numbered(before.text);
    const chosen = wanted.flatMap((number) => items.get(number) ?? []);
    if (chosen.length > 0) return `${text} → ${chosen.join('; ')}`;
  }
  if (!isBareAcceptance(text, cues)) return undefined;
  const offer = before.statements.findLast(({ text: said }) => asks(said) || OFFER.test(said));
  return offer && offer.text.length < 240 ? `${text} → ${offer.text}` : undefined;
}

function numbered(text: string): Map<number, string> {
  const items = [...text.matchAll(/^\s*(?:#+ )?(?:\*\*)?(\d{1,2})[.)]\s+(\S.{3,200})$/gm)];
  return new Map(items.map(([, number, words]) => [Number(number), words!.replace(/\*\*/g, '').trim()]));
}

function packed(statements: readonly Statement[]): string[] {
  const packs: string[] = [];
  for (const { text } of statements) {
    const last = packs.at(-1);
    if (last !== undefined && last.length + text.length < PACKED)
      packs[packs.length - 1] = joined(last, text);
    else packs.push(text);
  }
  return packs;
}
