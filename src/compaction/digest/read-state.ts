import type { EntryId, SummaryLine } from '../../record/index.ts';
import {
  announces,
  asks,
  type Cues,
  contentWords,
  intends,
  joined,
  type Line,
  offers,
} from '../../text/index.ts';
import type { DigestTurn, Utterance } from './read-turns.ts';

const LONGEST = 260;

/** How far the work came: what the agent said of it last; and where it had not answered yet, what it was about to do. */
export function readState(
  turns: readonly DigestTurn[],
  { lines, following, cues }: { lines: readonly Line[]; following: ReadonlySet<EntryId>; cues: Cues },
): SummaryLine[] {
  const covers = ({ entry }: Utterance) => !following.has(entry);
  const saidIn = ({ agent, thoughts }: DigestTurn) => (agent.some(covers) ? agent : thoughts).filter(covers);
  const turn = turns.findLast((one) => saidIn(one).length > 0);
  if (!turn) return [];
  const said = saidIn(turn);
  const isThought = turn.thoughts.includes(said[0]!);
  // Of what an agent only thought, a report alone tells how far it came.
  const isOutcome = (text: string) => isTelling(text) && (!isThought || cues.reports.test(text));
  const outcomeOf = ({ statements }: Utterance) => statements.findLast(({ text }) => isOutcome(text))?.text;
  const told = said.findLast((one) => outcomeOf(one) !== undefined);
  const state = told ? [{ text: reportedIn(turn, told, lines) ?? outcomeOf(told)!, from: [told.entry] }] : [];
  const next = turn.cut || said.length < turn.agent.length ? intentOf(said.at(-1)) : undefined;
  return [...state, ...(next && next.text !== state[0]?.text ? [next] : [])];
}

/** What the agent was about to do. */
function intentOf(said: Utterance | undefined): SummaryLine | undefined {
  const intents = said?.statements.filter(({ text }) => announces(text) || intends(text)) ?? [];
  const [first, ...more] = intents.filter(({ text }) => text.length <= LONGEST);
  if (!said || !first) return undefined;
  let { text } = first;
  for (const one of more) if (text.length + one.text.length < LONGEST) text = joined(text, one);
  return { text, from: [said.entry] };
}

/** What the agent reported done in this message tells more than the sentences around it. */
function reportedIn(
  turn: DigestTurn,
  { entry, statements }: Utterance,
  lines: readonly Line[],
): string | undefined {
  const done = lines.findLast(
    ({ turn: of, act, by, from, text }) =>
      of === turn.index && act === 'done' && by === 'agent' && from.includes(entry) && text.length <= LONGEST,
  );
  return statements.find(({ text }) => done?.text === text && isTelling(text))?.text;
}

function isTelling(text: string): boolean {
  return (
    text.length <= LONGEST &&
    contentWords(text).size >= 3 &&
    !asks(text) &&
    !offers(text) &&
    !announces(text) &&
    !intends(text) &&
    !/[:：]$/.test(text)
  );
}
