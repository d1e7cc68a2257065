/** A longer text is a statement, whatever it asks at the end. */
const LONGEST = 400;
const SENTENCE = /.+?(?:[.!?…]+["'”’)\]*_]*(?=\s|$)|[。！？؟]+|$)/gmu;
const QUESTION = /[?？؟]["'”’)\]*_]*$/u;
const LETTERS = /[\p{L}\p{N}]/gu;

/** How much of a short text is questions, in percent. A question holds the words of a query, and seldom the answer. */
export function askedShare(text: string): number {
  if (text.length > LONGEST || !/[?？؟]/u.test(text)) return 0;
  let [all, asked] = [0, 0];
  for (const [sentence] of text.matchAll(SENTENCE)) {
    const letters = sentence.match(LETTERS)?.length ?? 0;
    all += letters;
    if (QUESTION.test(sentence)) asked += letters;
  }
  return all === 0 ? 0 : Math.round((100 * asked) / all);
}
