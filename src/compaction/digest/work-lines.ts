import {
  type Act,
  announces,
  asks,
  type Cues,
  contentWords,
  createLine,
  intends,
  type Line,
  letterPattern,
  offers,
  opensDone,
  type Statement,
  sharedWords,
  tellsAnything,
} from '../../text/index.ts';
import { actOfAgent, type DigestPlace, OFFER_REACH, sectionOfAgent } from './agent-acts.ts';
import type { Requests } from './read-requests.ts';
import type { DigestTurn, TurnVerdict, Utterance } from './read-turns.ts';
import { requestLines } from './request-lines.ts';

/** What a line of a session with tools is worth by where it stands: the request, the end of the answer, its beginning. */
const ANSWER = { end: 0.9, start: 0.75, middle: 0.5 } as const;
const BETWEEN_CALLS = 0.22;
/** An agent that says nothing while it works has found out things all the same. */
const THOUGHT = 0.15;
/** Findings and abandoned attempts are worth more than the talk beside it. */
const FOUND_OUT = 2;
const MOST_BETWEEN = 12;
const SPACELESS = /\p{Lo}/u;
const UNANSWERED_OFFER = 0.8;
const VERDICT = 0.5;
const COMMIT = 0.9;
const OUTCOME = 0.95;

/** The lines of a session in which an agent works with tools: asked, done, and how it came out, turn by turn. */
export function workLines(
  turns: readonly DigestTurn[],
  { cues, requests }: { cues: Cues; requests: Requests },
): Line[] {
  const open = new Set(requests.all.filter(({ state }) => state === 'open').map(({ entry }) => entry));
  const offers = turns.map(({ agent }) => offersOf(agent.at(-1)));
  const lastTotals = turns
    .flatMap(({ verdicts }) => verdicts)
    .findLast(({ text }) => TOTALS.test(text))?.text;
  return turns.flatMap((turn, at) => {
    const before = turns[at - 1]?.agent.at(-1);
    const next = turns[at + 1]?.user;
    const answer = turn.agent.at(-1);
    const asked = requestLines(turn, { before, cues });
    const later = offers.slice(at + 1, at + 1 + OFFER_REACH).flat();
    const verdicts = newestVerdicts(turn);
    const answers = answer
      ? answerLines(answer, { turn, next, age: turns.length - 1 - at, later, cues })
      : [];
    return [
      ...(turn.user && open.has(turn.user.entry) ? [...asked, ...answers] : withOutcome(asked, answers)),
      ...turn.agent.slice(0, -1).flatMap((said) => betweenCalls(said, { turn, cues, value: BETWEEN_CALLS })),
      ...(turn.agent.length > 1
        ? []
        : turn.thoughts.flatMap((thought) => betweenCalls(thought, { turn, cues, value: THOUGHT }))),
      ...verdictLines(verdicts, { turn, lastTotals }),
    ];
  });
}

/** One line for what one command summed up, behind its name: "0 issues" says nothing alone. */
function verdictLines(
  verdicts: readonly TurnVerdict[],
  { turn, lastTotals }: { turn: DigestTurn; lastTotals: string | undefined },
): Line[] {
  const lines = new Map<string, Line>();
  for (const { text, entry, command } of verdicts) {
    const isCommit = COMMITTED.test(text);
    const section = FAILED.test(text) ? (text === lastTotals ? 'pending' : 'facts') : 'completed';
    const named = command && !isCommit;
    const key = named ? `${section} ${entry} ${command}` : `${section} ${text}`;
    const before = lines.get(key)?.text;
    const line = createLine({
      text: named ? (before ? `${before}; ${text}` : `${command} → ${text}`) : text,
      from: [entry],
      by: 'agent',
      act: 'done',
      section,
      value: isCommit ? COMMIT : VERDICT,
      place: turn.agent.at(-1)?.place ?? turn.user?.place ?? 0,
      turn: turn.index,
    });
    lines.set(key, line);
  }
  return [...lines.values()];
}

/** How git names a commit that it made. */
const COMMITTED = /^\[[\w./-]+ (?:\(root-commit\) )?[0-9a-f]{7,}\] /;

/** Totals of tests, of which the newest hold. */
const TOTALS = /\d+ (?:passed|failed)|^(?:# )?(?:pass|fail) \d|test result/;
const FAILED = /(?<!\d)[1-9]\d* failed|^(?:# )?fail [1-9]/;
/** How many lines a commit changed says little beside its name. */
const SIZE = /^\d+ files? changed/;
const MOST_VERDICTS = 3;
const MOST_COMMITS = 12;

function newestVerdicts({ verdicts }: DigestTurn): DigestTurn['verdicts'] {
  const newest = verdicts.findLast(({ text }) => TOTALS.test(text))?.entry;
  const commits = verdicts.filter(({ text }) => COMMITTED.test(text)).slice(-MOST_COMMITS);
  const others = verdicts.filter(
    ({ text, entry }) =>
      !COMMITTED.test(text) &&
      (TOTALS.test(text) ? entry === newest : !(SIZE.test(text) && commits.length > 0)),
  );
  return [...commits, ...others.slice(-MOST_VERDICTS)];
}

const LONGEST_ASKED = 140;

/** "asked → done": a short request and the report that answers it are one line, and tell more together. */
function withOutcome(requests: readonly Line[], answers: readonly Line[]): Line[] {
  const [request] = requests;
  const done = answers.filter(({ act }) => act === 'done');
  const outcome = done.find(({ text }) => !isPoor(text)) ?? done[0];
  if (!request || !outcome || request.text.length > LONGEST_ASKED) return [...requests, ...answers];
  // The accepted proposal may be a question of the agent; a question of the person is answered, not done.
  const isTask = request.act === 'asked' || request.act === 'choice';
  if (request.act !== 'adopted' && (!isTask || asks(request.text))) return [...requests, ...answers];
  const { items, lead, ...report } = outcome;
  const joined = createLine({
    ...report,
    text: `${request.text} → ${outcome.text}`,
    ...(items && lead && { items, lead: `${request.text} → ${lead}` }),
    from: [...request.from, ...outcome.from],
    value: Math.max(OUTCOME, outcome.value),
    by: 'user',
  });
  const others = answers.filter((line) => line !== outcome && !(line.act === 'done' && isPoor(line.text)));
  return [joined, ...requests.slice(1), ...others];
}

function betweenCalls(
  said: Utterance,
  { turn, cues, value }: { turn: DigestTurn; cues: Cues; value: number },
): Line[] {
  return said.statements.slice(0, MOST_BETWEEN).flatMap(({ text }, at) => {
    if (asks(text) || announces(text) || PONDERS.test(text.toLowerCase()) || /[:：]$/.test(text)) return [];
    // The calls that follow show the work; what it was done for stands in the reason or the finding behind it.
    if (intends(text) && !cues.finds.test(text)) return [];
    const { size } = contentWords(text);
    if (size < 2 && !SPACELESS.test(text)) return [];
    const isDropped = cues.abandons.test(text);
    return [
      createTelling({
        text,
        from: [said.entry],
        by: 'agent',
        act: 'fact',
        section: isDropped ? 'dropped' : 'facts',
        value: value * (isDropped || cues.finds.test(text) ? FOUND_OUT : 1),
        at,
        place: said.place,
        turn: turn.index,
      }),
    ];
  });
}

/** Thinking aloud about what to do: nothing was found out yet. */
const PONDERS = letterPattern(
  String.raw`^(?:(?:ok(?:ay)?|hmm+|so|now|next|well|then|and|but|wait)[,.!:]? )*(?:(?:i['’]m|i am)(?: (?:currently|now|still|just))? \p{L}+ing|my (?:\p{L}+ )?(?:focus|aim|step|goal|plan|task|efforts?)|maybe|perhaps|we (?:should|could|need|must|can|have to)|i (?:should|could|might|need|must|want|wonder|think i)|the user (?:wants|asks|is asking|said)|let)(?!\p{L})`,
);

/** A line of few words that tell something is worth less. */
function createTelling(fields: Parameters<typeof createLine>[0]): Line {
  const line = createLine(fields);
  if (line.words.size < 3 && !tellsAnything(line.text)) line.value = 0;
  line.value *= Math.min(1, line.words.size / 5);
  return line;
}

function offersOf(said: Utterance | undefined): string[] {
  return (said?.statements ?? []).flatMap(({ text }) => (asks(text) || offers(text) ? [text] : []));
}

function answerLines(answer: Utterance, place: DigestPlace): Line[] {
  const { turn, next, age, cues } = place;
  // An undone step is taken out for the whole turn: see undone.ts.
  const rejection = next && cues.rejects.test(next.text) && !cues.undoes.test(next.text) ? next : undefined;
  const statements = tellingOf(answer.statements, turn);
  const sections = new Map<number, Act>();
  return statements.flatMap((statement, at): Line[] => {
    const { text, list, listed } = statement;
    const position = at >= statements.length - 2 ? ANSWER.end : at < 2 ? ANSWER.start : ANSWER.middle;
    const isOffer = asks(text) || offers(text);
    const own = actOfAgent(statement, place);
    // All items of one list do the same.
    const act = listed ? (sections.get(list) ?? own) : own;
    if (listed) sections.set(list, act);
    const section = sectionOfAgent(act, text, place);
    // A question of the agent that was answered, or is long past, tells nothing.
    if (act === 'asked') return [];
    const base = isOffer && age > 0 ? UNANSWERED_OFFER : position;
    const fields = {
      text,
      from: [answer.entry],
      by: 'agent' as const,
      act,
      section,
      value: base,
      at,
      ...(listed && { items: statement.items, lead: statement.lead }),
      place: answer.place,
      turn: turn.index,
    };
    return [createTelling(rejection ? rejectedBy(rejection, fields) : fields)];
  });
}

const REJECTED = 0.55;

/** What the person said no to is not done: where they name it, it was tried and dropped for what they said. */
function rejectedBy(
  { text: no, statements, entry }: Utterance,
  fields: Parameters<typeof createLine>[0],
): Parameters<typeof createLine>[0] {
  const { items, lead, ...line } = fields;
  const value = fields.value * REJECTED;
  if (line.act !== 'done')
    return { ...fields, section: line.section === 'pending' ? 'pending' : 'facts', value };
  const said = statements[0]?.text ?? no;
  if (sharedWords(contentWords(line.text), contentWords(said)) === 0 || said.length > LONGEST_NO)
    return { ...fields, act: 'fact', section: 'facts', value };
  return {
    ...line,
    text: `${line.text} → ${said}`,
    from: [...line.from, entry],
    act: 'fact',
    section: 'dropped',
    value,
  };
}

const LONGEST_NO = 160;

/** Without announcements, and with what a bare "Done." is said of on its line. */
function tellingOf(statements: readonly Statement[], { cut }: DigestTurn): Statement[] {
  const telling: Statement[] = [];
  for (const statement of statements) {
    const last = telling.at(-1);
    if (announces(statement.text) || /[:：]$/.test(statement.text)) continue;
    // Where tools were called behind it, it is no promise to the person.
    if (cut && intends(statement.text)) continue;
    const isBare = last !== undefined && !last.listed && opensDone(last.text) && isPoor(last.text);
    if (isBare && !statement.listed && !asks(statement.text) && !offers(statement.text))
      telling[telling.length - 1] = { ...statement, text: `${last.text} ${statement.text}` };
    else telling.push(statement);
  }
  return telling;
}

function isPoor(text: string): boolean {
  return contentWords(text).size < 2;
}
