import { contentWords } from './language/content-words.ts';
import { asks, type Cues, OFFER, opensDone } from './language/cues.ts';
import type { Statement } from './language/statements.ts';
import { type Act, createLine, type Line, type LineSection } from './lines.ts';
import type { Requests } from './read-requests.ts';
import type { Turn, Utterance } from './read-turns.ts';
import { requestLines } from './request-lines.ts';
import { entitiesIn } from './settle-open.ts';

/** What a line of a session with tools is worth by where it stands: the request, the end of the answer, its beginning. */
const ANSWER = { end: 0.9, start: 0.75, middle: 0.5 } as const;
const BETWEEN_CALLS = 0.22;
const MOST_BETWEEN = 12;
const UNANSWERED_OFFER = 0.8;
const VERDICT = 0.5;
const OUTCOME = 0.95;
/** An offer that was passed over so many turns ago is no longer open. */
const OFFER_REACH = 12;

/** The lines of a session in which an agent works with tools: asked, done, and how it came out, turn by turn. */
export function workLines(
  turns: readonly Turn[],
  { cues, requests }: { cues: Cues; requests: Requests },
): Line[] {
  const open = new Set(requests.all.filter(({ state }) => state === 'open').map(({ entry }) => entry));
  return turns.flatMap((turn, at) => {
    const before = turns[at - 1]?.agent.at(-1);
    const next = turns[at + 1]?.user?.text ?? '';
    const answer = turn.agent.at(-1);
    const asked = requestLines(turn, { before, cues });
    const later = turns.slice(at + 1, at + 1 + OFFER_REACH).flatMap(({ agent }) => offersOf(agent.at(-1)));
    const answers = answer
      ? answerLines(answer, { turn, next, age: turns.length - 1 - at, later, cues })
      : [];
    return [
      ...(turn.user && open.has(turn.user.entry) ? [...asked, ...answers] : withOutcome(asked, answers)),
      ...turn.agent.slice(0, -1).flatMap((said) => betweenCalls(said, turn)),
      ...turn.verdicts.slice(-3).map(({ text, entry }) =>
        createLine({
          text,
          from: [entry],
          by: 'agent',
          act: 'done',
          section: 'completed',
          value: VERDICT,
          place: answer?.place ?? turn.user?.place ?? 0,
          turn: turn.index,
        }),
      ),
    ];
  });
}

const LONGEST_ASKED = 140;

/** "asked → done": a short request and the report that answers it are one line, and tell more together. */
function withOutcome(requests: readonly Line[], answers: readonly Line[]): Line[] {
  const [request] = requests;
  const outcome = answers.find(({ act }) => act === 'done');
  if (!request || !outcome || request.text.length > LONGEST_ASKED || asks(request.text)) {
    return [...requests, ...answers];
  }
  if (request.act !== 'asked' && request.act !== 'adopted' && request.act !== 'choice')
    return [...requests, ...answers];
  const joined = createLine({
    ...outcome,
    text: `${request.text} → ${outcome.text}`,
    from: [...request.from, ...outcome.from],
    value: Math.max(OUTCOME, outcome.value),
    by: 'user',
  });
  return [joined, ...requests.slice(1), ...answers.filter((line) => line !== outcome)];
}

function betweenCalls(said: Utterance, turn: Turn): Line[] {
  return said.statements.slice(0, MOST_BETWEEN).flatMap(({ text }, at) => {
    if (asks(text) || /[:：]$/.test(text)) return [];
    return [
      createLine({
        text,
        from: [said.entry],
        by: 'agent',
        act: 'fact',
        section: 'facts',
        value: BETWEEN_CALLS * enough(text),
        at,
        place: said.place,
        turn: turn.index,
      }),
    ];
  });
}

function enough(text: string): number {
  return Math.min(1, contentWords(text).size / 5);
}

interface Place {
  readonly turn: Turn;
  /** What the person said next. */
  readonly next: string;
  /** How many turns follow. */
  readonly age: number;
  /** What the agent offered in the turns after it. */
  readonly later: readonly string[];
  readonly cues: Cues;
}

function offersOf(said: Utterance | undefined): string[] {
  return (said?.statements ?? []).flatMap(({ text }) => (asks(text) || OFFER.test(text) ? [text] : []));
}

function answerLines(answer: Utterance, place: Place): Line[] {
  const { turn, next, age, cues } = place;
  const isUndone = UNDO.test(next);
  const isRevoked = isUndone || cues.rejects.test(next);
  const { statements } = answer;
  const sections = new Map<number, Act>();
  return statements.flatMap((statement, at): Line[] => {
    const { text, list, listed } = statement;
    const position = at >= statements.length - 2 ? ANSWER.end : at < 2 ? ANSWER.start : ANSWER.middle;
    const isOffer = asks(text) || OFFER.test(text);
    const own = actOfAgent(statement, place);
    // All items of one list do the same.
    const act = listed ? (sections.get(list) ?? own) : own;
    if (listed) sections.set(list, act);
    const section = sectionFor(act);
    // A question of the agent that was answered, or is long past, tells nothing.
    if (act === 'asked') return [];
    const base = isOffer && age > 0 ? UNANSWERED_OFFER : position;
    return [
      createLine({
        text,
        from: [answer.entry],
        by: 'agent',
        act: isRevoked && act === 'done' ? 'fact' : act,
        section: isRevoked && section !== 'pending' ? 'facts' : section,
        value: base * (isUndone ? 0.2 : isRevoked ? 0.55 : 1) * enough(text),
        at,
        place: answer.place,
        turn: turn.index,
      }),
    ];
  });
}

const UNDO =
  /^\W*(?:revert|undo|roll ?back|rückgängig|annule|deshaz|desfaz|annulla|откати)|^.{0,20}(?:戻して|撤销|取り消|되돌려)/iu;

function actOfAgent({ text, ticked, lead }: Statement, place: Place): Act {
  const { turn, cues } = place;
  if (ticked !== undefined) return ticked ? 'done' : 'open';
  if (asks(text) || OFFER.test(text)) return isUnanswered(text, place) ? 'open' : 'asked';
  if (cues.leavesOpen.test(text) && cues.promises.test(text)) return 'open';
  if (opensDone(text) || (turn.worked && lead && (CHANGES.test(lead) || opensDone(lead)))) return 'done';
  if (turn.worked && cues.reports.test(text) && !cues.unreal.test(text)) return 'done';
  return TURNS.test(text) ? 'changed' : 'fact';
}

/** Asked lately, and the person went on to something else without a yes or a no. */
function isUnanswered(text: string, { next, age, later, cues }: Place): boolean {
  if (age === 0) return true;
  if (age > OFFER_REACH || !OFFER.test(text)) return false;
  // Offered again, it is open or answered there.
  const names = entitiesIn(text);
  if (later.some((offer) => [...entitiesIn(offer)].some((name) => names.has(name)))) return false;
  const answers = cues.accepts.test(next) || cues.rejects.test(next) || next.length < 25;
  const named = [...contentWords(next)].some((word) => text.toLowerCase().includes(word));
  return !answers && !named;
}

/** Heads a list of what was changed. */
const CHANGES =
  /(?<![\p{L}])(?:chang(?:es?|ed)|modified|fix(?:es|ed)?|added|implemented|updated|removed|created|completed|done|what (?:i|we) did|what was (?:done|changed)|änderungen|geändert|erledigt|umgesetzt|modifications?|changements|cambios|hecho|alterações|mudanças|modifiche|изменения|сделано)(?![\p{L}])|変更|修正|対応|更改|修改|完成|변경/iu;

/** An agent that takes something back, or one thing instead of another. */
const TURNS = /(?<![\p{L}])(?:instead of|rather than|no longer|you['’]re right|you are right)(?![\p{L}])/iu;

function sectionFor(act: Act): LineSection {
  if (act === 'done') return 'completed';
  if (act === 'open') return 'pending';
  return act === 'changed' ? 'decisions' : 'facts';
}
