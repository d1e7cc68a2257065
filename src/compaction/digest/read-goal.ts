import type { EntryId } from '../../record/index.ts';
import {
  asks,
  type Cues,
  contentWords,
  joined,
  type Statement,
  shifts,
  tellingWords,
} from '../../text/index.ts';
import { asksForWork } from './read-requests.ts';
import type { DigestTurn, Utterance } from './read-turns.ts';

interface GoalLine {
  readonly text: string;
  readonly from: readonly EntryId[];
}

interface Goal {
  /** The first request, in pieces of falling worth, and how it changed. */
  readonly lines: readonly GoalLine[];
  /** The newest request, if it is another one. */
  readonly latest?: GoalLine;
}

const LONGEST = 500;
const SHORT = 60;
const MOST_SHIFTS = 4;
const LONGEST_SHIFT = 260;

/** What the range is for: its first request, and where the person turned to something else. */
export function readGoal(
  turns: readonly DigestTurn[],
  { work, cues, goesOn, idle }: { work: boolean; cues: Cues; goesOn: boolean; idle: boolean },
): Goal {
  const said = turns.flatMap(({ user }) => (user ? [user] : []));
  const isTelling = (user: Utterance, at: number) =>
    tells(user, cues) || (at === 0 && namesATask(user, cues));
  // In a continued conversation the first message is not the goal.
  if (!work && goesOn) return { lines: shiftsIn(said.filter(isTelling)).slice(-MOST_SHIFTS) };
  if (!work) {
    // People who only chat open with a greeting, and want nothing unless they say so.
    const first = said.find((user, at) => isTelling(user, at) && (!idle || asksSomeone(user)));
    return { lines: first ? [begins(LONGEST / 2)(first)] : [] };
  }
  const telling = said.filter(isTelling);
  // A goal of a word or two is better than none.
  const asked =
    telling.length > 0 ? telling : said.slice(0, 1).filter(({ statements }) => statements.length > 0);
  const [first, second] = asked;
  if (!first) return { lines: [] };
  const begun = [begins(LONGEST)(first)];
  if (lengthOf(begun[0]!.text) < SHORT && second) begun.push(begins(LONGEST_SHIFT)(second));
  const latest = asked.at(-1)!;
  const shifts = shiftsIn(asked.slice(begun.length, -1)).slice(-MOST_SHIFTS);
  const isNew = latest !== first && latest !== (begun.length > 1 ? second : undefined);
  return { lines: [...begun, ...shifts], ...(isNew && { latest: begins(LONGEST_SHIFT)(latest) }) };
}

function begins(longest: number): (user: Utterance) => GoalLine {
  return (user) => ({ text: cutStatements(user, longest), from: [user.entry] });
}

function asksSomeone({ statements }: Utterance): boolean {
  return statements.some(({ text }) => asksForWork(text));
}

/** A sign of a script without spaces says as much as three letters. */
function lengthOf(text: string): number {
  return text.length + 2 * (text.match(/\p{Lo}/gu)?.length ?? 0);
}

function shiftsIn(asked: readonly Utterance[]): GoalLine[] {
  return asked.flatMap((user) => {
    const turned = user.statements.find(({ text }) => shifts(text) && contentWords(text).size >= 3);
    return turned ? [{ text: turned.text, from: [user.entry] }] : [];
  });
}

/** "Let us build the shop.": two words that tell, in a message that opens the conversation. */
function namesATask({ text, statements }: Utterance, cues: Cues): boolean {
  return statements.length > 0 && tellingWords(text).length >= 2 && !cues.accepts.test(text);
}

/** More than a greeting, a nod or a name. */
function tells({ text, statements }: Utterance, cues: Cues): boolean {
  if (statements.length === 0) return false;
  return (
    contentWords(text).size >= 3 || (contentWords(text).size >= 2 && !cues.accepts.test(text) && asks(text))
  );
}

/** Whole statements from the beginning, as many as fit, the first one in any case; and the last ones of a long message. */
function cutStatements({ statements }: Utterance, longest: number): string {
  const once = [...new Map(statements.map((statement) => [statement.text, statement])).values()];
  const told = once.filter(({ text }) => contentWords(text).size > 0);
  let text = told[0]?.text ?? statements[0]!.text;
  let taken = 1;
  for (const more of told.slice(1)) {
    // So long a statement is something pasted; the person goes on behind it.
    if (more.text.length > longest) continue;
    if (text.length + more.text.length + 1 > longest) break;
    text = joined(text, more);
    taken = told.indexOf(more) + 1;
  }
  const end = endOf(told.slice(taken));
  return end ? `${text} … ${end}` : text;
}

const LONGEST_END = 200;
const MUCH_LEFT = 400;

/** The wish of this time stands behind a long prompt or a pasted text. */
function endOf(rest: readonly Statement[]): string {
  if (rest.reduce((sum, { text }) => sum + text.length, 0) < MUCH_LEFT) return '';
  let text = '';
  for (const one of rest.toReversed()) {
    if (text.length + one.text.length > LONGEST_END) break;
    text = text ? joined(one.text, { text }) : one.text;
  }
  return text;
}
