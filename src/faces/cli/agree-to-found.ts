import { ThroughlineError } from '../../errors.ts';
import { titleOf } from '../../record/index.ts';
import type { Candidate, FitsBy } from '../../session/index.ts';
import { sayCount, sayTitle } from '../../text/index.ts';
import { commandLine } from './command-line.ts';
import { canAsk, confirm } from './terminal/confirm.ts';
import { note } from './terminal/print.ts';
import { sayAge } from './terminal/say.ts';
import { visibleLine } from './terminal/visible-text.ts';
import type { GlobalOptions } from './with-store.ts';

/** A session with the words that it was found by. */
export interface FoundHistory extends Candidate {
  readonly reference: string;
}

interface AgreeOptions {
  /** What a refusal says first: "Nothing was purged". */
  readonly undone: string;
  /** The words of the same command with these ids, for a person to copy. */
  readonly again: (ids: readonly string[]) => readonly string[];
  readonly global: GlobalOptions;
}

/** Sessions that were not named by their whole id, so that a person has to see them before they are changed for good. */
export function guessesIn(found: readonly FoundHistory[]): readonly FoundHistory[] {
  return found.filter(({ by }) => by !== 'id');
}

/**
 * Refuses to destroy a session found by a guess where no person can be asked. A script that repeats itself after a session is
 * gone would otherwise reach the next one that fits. `--yes` agrees to a question, not to a guess.
 */
export function refuseGuesses(found: readonly FoundHistory[], { undone, again, global }: AgreeOptions): void {
  const guesses = guessesIn(found);
  if (guesses.length === 0 || (!global.json && canAsk())) return;
  const lines = guesses.map((guess) => `\n  ${sayGuess(guess)}`);
  const command = commandLine(again(found.map(({ info }) => info.id)), global);
  throw new ThroughlineError(
    'usage',
    `${undone}: without a terminal to ask in, this takes whole ids.${lines.join('')}\nIf that is meant: ${command}`,
    {
      details: {
        found: guesses.map(({ reference, info, by }) => ({
          reference,
          by,
          id: info.id,
          title: titleOf(info.state),
          messages: info.totals.messages,
          updatedAt: info.updatedAt,
        })),
      },
    },
  );
}

/** Shows the sessions that were only guessed, and asks. */
export async function agreeToFound(
  found: readonly FoundHistory[],
  question: string,
  options: AgreeOptions,
): Promise<void> {
  refuseGuesses(found, options);
  const guesses = guessesIn(found);
  if (guesses.length === 0) return;
  for (const guess of guesses) note(sayGuess(guess));
  if (!(await confirm(question))) throw new ThroughlineError('cancelled', `${options.undone}.`);
}

/** `"zet" is the start of the id zeta-1  Refactor auth  (12 messages, changed 2 h ago)` */
export function sayGuess({ reference, info, by }: FoundHistory): string {
  const { id, state, totals, updatedAt } = info;
  const words = visibleLine(reference).slice(0, 80);
  const title = visibleLine(sayTitle(titleOf(state)));
  const facts = `${sayCount(totals.messages, 'message')}, changed ${sayAge(updatedAt)}`;
  return `"${words}" is ${WORDS[by]} ${id}  ${title}  (${facts})`;
}

const WORDS: Readonly<Record<FitsBy, string>> = {
  id: 'the id',
  number: 'the number in the last list of',
  title: 'the title or the first question of',
  prefix: 'the start of the id',
};
