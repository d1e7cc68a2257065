import { createInterface } from 'node:readline';
import { surviveStops } from './survive-stops.ts';

/** Several questions to one person, one after the other. */
export interface Questions extends Disposable {
  /** The answer, without blanks around it; `undefined` once the input is closed (Ctrl-C, Ctrl-D). */
  ask(question: string): Promise<string | undefined>;
}

/** Asks on stderr, so that answers are never mixed into results. Lines that were typed ahead answer what comes next. */
export function openQuestions(): Questions {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const stops = surviveStops(lines, {
    onBack() {
      if (waiting) lines.prompt(true);
    },
  });
  const typed: string[] = [];
  let waiting: ((answer: string | undefined) => void) | undefined;
  let ended = false;
  const hand = (answer: string | undefined) => {
    const asked = waiting;
    // Lines may come in one go: only the first of them answers this question.
    waiting = undefined;
    if (asked) asked(answer);
    else if (answer !== undefined) typed.push(answer);
  };
  lines.on('line', hand);
  lines.on('close', () => {
    ended = true;
    if (waiting) process.stderr.write('\n');
    hand(undefined);
  });
  return {
    async ask(question) {
      lines.setPrompt(question);
      if (!ended) lines.prompt();
      const answer = typed.shift();
      if (answer !== undefined || ended) return answer?.trim();
      const next = await new Promise<string | undefined>((resolve) => {
        waiting = resolve;
      });
      return next?.trim();
    },
    [Symbol.dispose]() {
      stops[Symbol.dispose]();
      lines.close();
    },
  };
}
