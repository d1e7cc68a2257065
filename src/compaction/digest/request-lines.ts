import {
  type Act,
  asks,
  type Cues,
  contentWords,
  createLine,
  figuresIn,
  joined,
  type Line,
  type LineSection,
  offers,
  type Statement,
  sharedWords,
  tellsAnything,
} from '../../text/index.ts';
import { endsData } from './pasted-data.ts';
import { asksForWork } from './read-requests.ts';
import type { DigestTurn, Utterance } from './read-turns.ts';
import { isBareAcceptance } from './talk-acts.ts';

const REQUEST = 1;
const LATER_PART = 0.55;
const MUCH = 800;
const LONGEST_QUESTION = 200;
const PACKED = 260;
const SHORT_ANSWER = 0;

/** What the person wants of an agent with tools, in pieces that can be read alone. */
export function requestLines(
  turn: DigestTurn,
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
    ...packed(kindsOf(user.statements.slice(0, user.statements.length - remark.length), cues)),
    ...packed(kindsOf(remark, cues)),
  ];
  return packs.flatMap(({ text, kind, asksForWork: isWanted }, at) => {
    const words = contentWords(text).size;
    if (words === 0 || (words < 2 && (cues.accepts.test(text) || !tellsAnything(text)))) return [];
    const rule = RULES[kind] ?? 0;
    const isFirst = at === 0 || (remark.length > 0 && at === packs.length - 1);
    const value = (isFirst || isWanted || rule > 0 ? REQUEST : LATER_PART) * Math.min(1, (words + 1) / 4);
    if (rule > 0) return [line(text, { act: 'strict', section: 'standing', value: value * rule, at })];
    if (kind === 'changed')
      return [line(text, { act: 'changed', section: 'decisions', value: value * 1.1, at })];
    if (kind === 'choice') return [line(text, { act: 'choice', section: 'decisions', value, at })];
    return [line(text, { act: 'asked', section: 'facts', value, at })];
  });
}

/** What a statement of a request does: statements that do the same share a line. */
type Kind = 'rule' | 'taste' | 'changed' | 'choice' | 'asked';
const RULES: { readonly [kind in Kind]?: number } = { rule: 1.4, taste: 1.2 };

interface Told extends Statement {
  readonly kind: Kind;
}

function kindsOf(statements: readonly Statement[], cues: Cues): Told[] {
  let ruled = -1;
  return statements.map((statement): Told => {
    const { text, lead, list } = statement;
    const announced = list === ruled || RULES_AHEAD.test(lead);
    if (endsData(text)) return { ...statement, kind: 'asked' };
    if (announced) return { ...statement, kind: 'rule' };
    if (text.length < LONGEST_LEAD && RULES_AHEAD.test(text)) ruled = list;
    return { ...statement, kind: kindOf(text, cues) };
  });
}

function kindOf(text: string, cues: Cues): Kind {
  const told = withoutQuestions(text);
  if (cues.strict.test(told)) return 'rule';
  if (cues.rejects.test(text)) return 'changed';
  if (cues.tastes.test(told)) return 'taste';
  if (cues.revises.test(told)) return 'changed';
  return cues.chooses.test(told) ? 'choice' : 'asked';
}

const LONGEST_LEAD = 90;
/** Says that rules follow. */
const RULES_AHEAD =
  /(?<!\p{L})(?:(?:ground|house|hard|coding|our|my|some|few|basic) (?:rules|constraints|conventions|limits|guidelines)|constraints|rahmenbedingungen|spielregeln|regeln|vorgaben|contraintes|consignes|règles|restricciones|reglas|condiciones|restrições|regras|vincoli|regole|условия|правила|ограничения)(?!\p{L})|制約|ルール|条件は|规则|要求如下|约束|규칙|조건/iu;

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
  const offer = before.statements.findLast(({ text: said }) => asks(said) || offers(said));
  if (!offer || offer.text.length >= 240) return undefined;
  // "ok, create a branch" asks for another thing.
  const own = contentWords(text).difference(contentWords(offer.text));
  return own.size <= MOST_OWN ? `${text} → ${offer.text}` : undefined;
}

function numbered(text: string): Map<number, string> {
  const items = [...text.matchAll(/^\s*(?:#+ )?(?:\*\*)?(\d{1,2})[.)]\s+(\S.{3,200})$/gm)];
  return new Map(items.map(([, number, words]) => [Number(number), words!.replace(/\*\*/g, '').trim()]));
}

/** Statements that do the same, one after the other, as lines that can be read alone. */
function packed(statements: readonly Told[]): { text: string; kind: Kind; asksForWork: boolean }[] {
  const packs: { text: string; kind: Kind; asksForWork: boolean }[] = [];
  for (const statement of statements) {
    const last = packs.at(-1);
    const isWanted = statement.kind === 'asked' && statement.items.some(asksForWork);
    // The reason of a decision, and what it leaves as it was, stand behind it.
    const isMore = statement.kind === 'asked' && (last?.kind === 'changed' || last?.kind === 'choice');
    if (
      last &&
      (last.kind === statement.kind || isMore) &&
      last.asksForWork === isWanted &&
      last.text.length + statement.text.length < PACKED
    )
      packs[packs.length - 1] = { ...last, text: joined(last.text, statement) };
    else packs.push({ text: statement.text, kind: statement.kind, asksForWork: isWanted });
  }
  return packs;
}
