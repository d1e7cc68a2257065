import type { Prompt } from './language-model.ts';

/** A sentence of the conversation, and who said it. */
export interface Quote {
  readonly who: string;
  readonly text: string;
}

const MOST = 5;
const LONGEST = 300;

/** The sentences that share most with the question, in the order they were said; rare words weigh more. */
export function quoteFromPrompt(question: string, prompt: Prompt): Quote[] {
  const asked = tellingWords(question);
  const sentences = prompt.flatMap(saidIn).map((quote) => ({ quote, words: wordsOf(quote.text) }));
  const holding = new Map<string, number>();
  for (const { words } of sentences) {
    for (const word of words) if (asked.has(word)) holding.set(word, (holding.get(word) ?? 0) + 1);
  }
  const weigh = (word: string) => Math.log(1 + sentences.length / (holding.get(word) ?? sentences.length));

  return sentences
    .map(({ quote, words }, index) => {
      const shared = [...asked].filter((word) => words.has(word));
      const weight = shared.reduce((sum, word) => sum + weigh(word), 0);
      // Long sentences share words by chance; the root keeps that from deciding without punishing detail.
      return { quote, index, score: weight / Math.sqrt(8 + words.size) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.index - a.index)
    .slice(0, MOST)
    .sort((a, b) => a.index - b.index)
    .map(({ quote }) => quote);
}

/** The newest thing that a person said, and everything said before it. */
export function splitQuestion(prompt: Prompt): { question: string; before: Prompt } {
  const last = prompt.findLastIndex(({ role }) => role === 'user');
  if (last < 0) return { question: '', before: prompt };
  return { question: textsOf(prompt[last]!).join('\n'), before: prompt.slice(0, last) };
}

/** Whether it is an answer of the offline model. */
export function isOffline(message: Prompt[number]): boolean {
  return message.role === 'assistant' && /^(?:offline:|\(offline\) )/.test(textsOf(message)[0] ?? '');
}

function saidIn(message: Prompt[number]): Quote[] {
  // Instructions are not what was said, and an answer of this model only repeats what was.
  if (message.role === 'system' || isOffline(message)) return [];
  const texts = textsOf(message);
  const who = message.role === 'user' ? 'you' : message.role;
  return texts
    .flatMap((text) => text.split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u))
    .map((text) => text.trim())
    .filter((text) => text.length > 1)
    .map((text) => ({ who, text: text.length > LONGEST ? `${clip(text, LONGEST)}…` : text }));
}

function textsOf({ content }: Prompt[number]): string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    if (part.type !== 'tool-result') return [];
    const { output } = part;
    return output.type === 'text' || output.type === 'error-text' ? [output.value] : [];
  });
}

const ASKING = new Set(
  'what which when where whose does have this that these with from about there they them your would could should will were been into than then just please tell know'.split(
    ' ',
  ),
);

/** What a question is about: not the words that any question has, and no short ones unless they are names. */
function tellingWords(question: string): Set<string> {
  const names = new Set(question.match(/\b[A-Z]{2,3}\b/g)?.map((name) => name.toLowerCase()));
  const isTelling = (word: string) => !/^[a-z]{1,3}$/.test(word) || names.has(word);
  return new Set([...wordsOf(question)].filter((word) => isTelling(word) && !ASKING.has(word)));
}

/** Words, and pairs of characters where words are not set apart. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [run] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(run)) words.add(run);
    else for (let at = 0; at < run.length; at++) words.add(run.slice(at, at + 2));
  }
  return words;
}

/** Cuts on a code point. */
function clip(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
