import {
  type Act,
  asks,
  type Cues,
  contentWords,
  createLine,
  type Line,
  offers,
  opensDone,
  tellingWords,
} from '../../text/index.ts';
import { countText } from '../../tokens/index.ts';
import type { AskedRequest, Requests } from './read-requests.ts';
import type { DigestTurn, Utterance } from './read-turns.ts';
import { type Exchange, RESTATED, restatements } from './restated-lines.ts';
import {
  accepts,
  actOf,
  counters,
  detail,
  digestSectionOf,
  isBareAcceptance,
  isPleasantry,
  joinShort,
  onlyTakesNote,
  replyTo,
  SUGGESTS,
  saysEnough,
  sectionFor,
  withReason,
} from './talk-acts.ts';

/** What a line of talk is worth by what it does: measured as the share of such lines that a successor asks for. */
const VALUES: Readonly<Record<Act, number>> = {
  promise: 3.5,
  changed: 3,
  strict: 3.2,
  restated: RESTATED,
  done: 2.4,
  adopted: 2.4,
  weak: 2.3,
  choice: 2.2,
  open: 2.2,
  told: 2.6,
  answer: 1.2,
  fact: 0.8,
  asked: 0.4,
  carried: 1,
};
/** Of a plain sentence that answers a proposal, or a question with two ends. */
const REPLY = 1.1;

/** The lines of what people and agents say to each other, by what each sentence does. */
export function talkLines(
  turns: readonly DigestTurn[],
  { cues, requests }: { cues: Cues; requests: Requests },
): Line[] {
  const asked = new Map(
    requests.all.flatMap((request) =>
      request.work && request.answer ? [[request.answer, request] as const] : [],
    ),
  );
  const wanted = new Map(requests.all.flatMap(({ work, entry, text }) => (work ? [[entry, text]] : [])));
  const exchanges = turns.flatMap((turn, at): Exchange[] => {
    const { user } = turn;
    if (!user) return [];
    const before = turns[at - 1]?.agent.at(-1);
    const after = turn.agent[0];
    const next = turns[at + 1]?.user;
    return [{ turn, user, ...(before && { before }), ...(after && { after }), ...(next && { next }) }];
  });
  const unasked = turns.flatMap((turn) =>
    turn.user ? [] : turn.agent.flatMap((said) => factLines(said, turn)),
  );
  const settled = exchanges.flatMap((exchange, at) => {
    const restated = restatements(exchange, cues);
    const options = {
      cues,
      first: at === 0,
      wanted: wanted.get(exchange.user.entry),
      isRestated: restated.length > 0,
    };
    return [
      ...userLines(exchange, options),
      ...restated,
      ...adopted(exchange, cues),
      ...agentLines(exchange, { cues, asked: asked.get(exchange.turn.agent.at(-1)?.entry ?? '') }),
    ];
  });
  return [...unasked, ...settled];
}

/** What an agent says before a person says anything: how it refers to the messages before. */
function factLines(said: Utterance, turn: DigestTurn): Line[] {
  return said.statements.map(({ text }, at) =>
    createLine({
      text,
      from: [said.entry],
      by: 'agent',
      act: 'fact',
      section: 'facts',
      value: VALUES.fact + detail(text),
      at,
      place: said.place,
      turn: turn.index,
    }),
  );
}

function userLines(
  { turn, user, before, after }: Exchange,
  {
    cues,
    first,
    wanted,
    isRestated,
  }: { cues: Cues; first: boolean; wanted: string | undefined; isRestated: boolean },
): Line[] {
  const sentences = joinShort(user.statements);
  const noted =
    after !== undefined &&
    cues.takesNote.test(after.text) &&
    countText(after.text) <= 14 &&
    !asks(after.text);
  return sentences.flatMap((text, at) => {
    const does = actOf(text, { cues, first, noted });
    if (!does) return [];
    // Where the agent says it again, that line tells more.
    const replies = at === 0 && does === 'fact' && before && !isRestated ? replyTo(before, text, cues) : does;
    // "Please fix it" asks for work; it settles nothing.
    const act = does === 'weak' && wanted !== undefined && text.startsWith(wanted) ? 'asked' : replies;
    const words = contentWords(text);
    const isPoor =
      SPACELESS.test(text) && !isRestated
        ? text.length <= FEW_SIGNS
        : words.size < (act === 'promise' || act === 'open' ? 4 : 3);
    const topic = isPoor ? topicOf({ at, sentences, act, before }, cues) : undefined;
    if (!topic && (!saysEnough(text, words) || isPleasantry(text, act) || (isPoor && at > 0))) return [];
    return [
      createLine({
        text: withReason(topic ? `${topic.text}${topic.joint}${text}` : text, {
          act,
          next: sentences[at + 1],
        }),
        from: topic?.entry === undefined ? [user.entry] : [topic.entry, user.entry],
        by: 'user',
        act,
        section: sectionFor(act, text, cues),
        value: replies === does ? VALUES[act] + (act === 'fact' ? detail(text) : 0) : REPLY + detail(text),
        at,
        noted,
        place: user.place,
        turn: turn.index,
      }),
    ];
  });
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const FEW_SIGNS = 8;

/** What a short sentence is about: the sentence before it, the question it answers, or the proposal that it changes. */
function topicOf(
  {
    at,
    sentences,
    act,
    before,
  }: { at: number; sentences: readonly string[]; act: Act; before: Utterance | undefined },
  cues: Cues,
): { text: string; joint: string; entry?: string } | undefined {
  // Facts of one message share a line already, and are in its words alone.
  if (digestSectionOf(act) === 'facts') return undefined;
  if (at > 0) return { text: sentences[at - 1]!, joint: ' ' };
  const last = before?.statements.at(-1)?.text;
  if (!before || last === undefined) return undefined;
  if (asks(last)) return last.length < 160 ? { text: last, joint: ' → ', entry: before.entry } : undefined;
  if (act !== 'changed' && act !== 'choice') return undefined;
  const told = before.statements.filter(({ text }) => !asks(text) && !offers(text));
  const proposed = told.findLast(({ text }) => cues.proposes.test(text)) ?? told.at(-1);
  return proposed && proposed.text.length < 160
    ? { text: proposed.text, joint: ' → ', entry: before.entry }
    : undefined;
}

const LONGEST_ADOPTED = 220;

/** "ok do that": the decision is in the words it answers. An offer ("shall I …?") is no decision. */
function adopted({ turn, user, before }: Exchange, cues: Cues): Line[] {
  const opening = user.statements[0]?.text ?? '';
  if (!before || !(isBareAcceptance(user.text, cues) || isBareAcceptance(opening, cues))) return [];
  const told = before.statements
    .filter(({ text }) => !offers(text) && (!asks(text) || SUGGESTS.test(text)))
    .map(({ text }) => text);
  const proposed = told.findIndex((text) => cues.proposes.test(text));
  const isAsked = before.statements.some(({ text }) => asks(text) && !SUGGESTS.test(text));
  if (proposed < 0 && isAsked) return [];
  const words = proposed < 0 ? told.slice(-2) : told.slice(proposed, proposed + 2);
  const short =
    words.join(' ').length > LONGEST_ADOPTED ? words.slice(proposed < 0 ? -1 : 0)[0] : words.join(' ');
  if (!short || short.length > LONGEST_ADOPTED * 1.5 || tellingWords(short).length < 2) return [];
  return [
    createLine({
      text: short,
      from: [before.entry, user.entry],
      by: 'agent',
      act: 'adopted',
      section: 'decisions',
      value: VALUES.adopted,
      place: user.place,
      turn: turn.index,
    }),
  ];
}

/** The agent's additions. What the person counters next, and proposals that were not taken, are no lines. */
function agentLines(
  { turn, user, after, next }: Exchange,
  { cues, asked }: { cues: Cues; asked: AskedRequest | undefined },
): Line[] {
  const answer = turn.agent.at(-1);
  if (!answer) return [];
  let countered: boolean | undefined;
  const isCountered = () => {
    countered ??=
      next !== undefined &&
      (cues.rejects.test(next.text) ||
        (counters(next.text, answer.text) && !accepts(next.text, cues)) ||
        cues.revises.test(next.text.slice(0, 60)));
    return countered;
  };
  return answer.statements.flatMap(({ text }, at): Line[] => {
    if (asks(text) || offers(text) || onlyTakesNote(text, cues)) return [];
    const open = cues.leavesOpen.test(text) && cues.promises.test(text) && !cues.proposes.test(text);
    const isDropped = cues.abandons.test(text);
    if (!open && (cues.proposes.test(text) || (!isDropped && isCountered()))) return [];
    const isDone =
      !open && (((opensDone(text) || cues.reports.test(text)) && !cues.unreal.test(text)) || isDropped);
    if (!saysEnough(text, contentWords(text)) && !(isDone && asked)) return [];
    const answers = at === 0 && after === answer && user.statements.some(({ text: said }) => asks(said));
    const act: Act = open ? 'promise' : isDone ? 'done' : answers ? 'answer' : 'fact';
    if (!(isDone && asked) && isPleasantry(text, act)) return [];
    return [
      createLine({
        text: isDone && asked ? `${asked.text} → ${text}` : text,
        from: isDone && asked ? [asked.entry, answer.entry] : [answer.entry],
        by: 'agent',
        act,
        section: sectionFor(act, text, cues),
        value: VALUES[act] * (act === 'fact' ? 0.6 : 0.9) + (act === 'fact' ? detail(text) / 2 : 0),
        at,
        place: answer.place,
        turn: turn.index,
      }),
    ];
  });
}
