// A loop asks in numbered iterations, often in the same words. The log has each question with its number; a request asks it
// without, and recall must not bring back the same question under other numbers.

const NUMBER = /^Iteration \d+: /;

/** A question of a loop as the log has it. */
export function numberQuestion(iteration: number, question: string): string {
  return `Iteration ${iteration}: ${question}`;
}

/** The question without its number; any other text as it is. */
export function withoutNumber(text: string): string {
  return text.replace(NUMBER, '');
}
