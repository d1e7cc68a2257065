import { surviveStops } from './survive-stops.ts';

/** True if a person at the terminal can be asked. */
export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY);
}

/** Asks on stderr, so that the answer is never mixed into results. Anything but a yes, also Ctrl-D, is a no. */
export async function confirm(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  using _ = surviveStops(lines, { onBack: () => lines.prompt(true) });
  try {
    // Ctrl-C and Ctrl-D close it on the line of the question.
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('\n')));
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed]);
    if (answer === '\n') process.stderr.write(answer);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
