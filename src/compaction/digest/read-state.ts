import type { EntryId, SummaryLine } from '../../record/index.ts';
import { contentWords } from './language/content-words.ts';
import { announces, asks, offers } from './language/cues.ts';
import type { Line } from './lines.ts';
import type { Turn, Utterance } from './read-turns.ts';

const LONGEST = 260;

/** How far the work came: what the agent said of it last. */
export function readState(
  turns: readonly Turn[],
  { lines, following }: { lines: readonly Line[]; following: ReadonlySet<EntryId> },
): SummaryLine[] {
  const tells = (one: Utterance) => !following.has(one.entry) && outcomeOf(one) !== undefined;
  const turn = turns.findLast(({ agent }) => agent.some(tells));
  const said = turn?.agent.findLast(tells);
  if (!turn || !said) return [];
  return [{ text: reportedIn(turn, said, lines) ?? outcomeOf(said)!, from: [said.entry] }];
}

/** What the agent reported done in this message tells more than the sentences around it. */
function reportedIn(
  turn: Turn,
  { entry, statements }: Utterance,
  lines: readonly Line[],
): string | undefined {
  const done = lines.findLast(
    ({ turn: of, act, by, from, text }) =>
      of === turn.index && act === 'done' && by === 'agent' && from.includes(entry) && text.length <= LONGEST,
  );
  return statements.find(({ text }) => done?.text === text && isTelling(text))?.text;
}

function outcomeOf({ statements }: Utterance): string | undefined {
  return statements.findLast(({ text }) => isTelling(text))?.text;
}

function isTelling(text: string): boolean {
  return (
    text.length <= LONGEST &&
    contentWords(text).size >= 3 &&
    !asks(text) &&
    !offers(text) &&
    !announces(text) &&
    !/[:：]$/.test(text)
  );
}
