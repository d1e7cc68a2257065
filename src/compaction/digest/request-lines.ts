import { tellingWords } from '../../text/index.ts';
import { contentWords, figuresIn, sharedWords } from './language/content-words.ts';
import { asks, type Cues, OFFER } from './language/cues.ts';
import { joined, type Statement } from './language/statements.ts';
import { type Act, createLine, type Line, type LineSection } from './lines.ts';
import type { Turn, Utterance } from './read-turns.ts';
import { isBareAcceptance } from './talk-acts.ts';

const REQUEST = 1;
const LATER_PART = 0.55;
const MUCH = 800;
const LONGEST_QUESTION = 200;
const PACKED = 260;
const SHORT_ANSWER = 0;

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
  const answered = before && answerTo(before, user.text.trim());
  if (answered) return [line(answered, { act: 'choice', section: 'decisions', value: 0.8, also: before })];
  const remark = remarkOf(user);
  const packs = [
    ...packed(user.statements.slice(0, user.statements.length - remark.length)),
    ...packed(remark),
  ];
  return packs.flatMap((text, at) => {
    const words = contentWords(text).size;
    if (words === 0 || (words < 2 && (cues.accepts.test(text) || tellingWords(text).length === 0))) return [];
    const value =
      (at === 0 || (remark.length > 0 && at === packs.length - 1) ? REQUEST : LATER_PART) *
      Math.min(1, (words + 1) / 4);
    const told = withoutQuestions(text);
    const rule = cues.strict.test(told) ? 1.4 : cues.tastes.test(told) ? 1.2 : 0;
    if (rule > 0) return [line(text, { act: 'strict', section: 'standing', value: value * rule, at })];
    if (cues.rejects.test(text) || cues.revises.test(told))
      return [line(text, { act: 'changed', section: 'decisions', value: value * 1.1, at })];
    if (cues.chooses.test(told)) return [line(text, { act: 'choice', section: 'decisions', value, at })];
    return [line(text, { act: 'asked', section: 'facts', value, at })];
  });
}

/** "Answer 1", "the second": with the question it answers, because a word or two say nothing alone. */
function answerTo({ statements, text: asked }: Utterance, answer: string): string | undefined {
  const words = contentWords(answer);
  if (answer.length > 40 || words.size > 2 || words.size === 0 || asks(answer)) return undefined;
  const isAnswer =
    answer.length <= SHORT_ANSWER ||
    figuresIn(answer).size > 0 ||
    sharedWords(words, contentWords(asked)) > 0;
  const question = statements.findLast(({ text }) => asks(text))?.text;
  return question && isAnswer && question.length < LONGEST_QUESTION ? `${question} → ${answer}` : undefined;
}

/** Behind a long text, most of it pasted, stands what the person has to say about it. */
function remarkOf({ text, statements }: Utterance): readonly Statement[] {
  const last = statements.at(-1);
  if (!last || !(text.length > MUCH || text.includes('```'))) return [];
  const at = statements.findIndex(({ list }) => list === last.list);
  return last.listed || at === 0 ? [] : statements.slice(at);
}

/** A question asks; what it names is not decided by it. */
function withoutQuestions(text: string): string {
  const sentences = text.split(/(?<=[.!?。！？])\s+/);
  return sentences.filter((sentence) => !asks(sentence)).join(' ');
}

const MOST_OWN = 2;
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
  if (!offer || offer.text.length >= 240) return undefined;
  // "ok, create a branch" asks for something of its own.
  const own = contentWords(text).difference(contentWords(offer.text));
  return own.size <= MOST_OWN ? `${text} → ${offer.text}` : undefined;
}

function numbered(text: string): Map<number, string> {
  const items = [...text.matchAll(/^\s*(?:#+ )?(?:\*\*)?(\d{1,2})[.)]\s+(\S.{3,200})$/gm)];
  return new Map(items.map(([, number, words]) => [Number(number), words!.replace(/\*\*/g, '').trim()]));
}

function packed(statements: readonly Statement[]): string[] {
  const packs: string[] = [];
  for (const statement of statements) {
    const last = packs.at(-1);
    if (last !== undefined && last.length + statement.text.length < PACKED)
      packs[packs.length - 1] = joined(last, statement);
    else packs.push(statement.text);
  }
  return packs;
}
