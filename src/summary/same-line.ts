import { leavesOpen } from './leaves-open.ts';

/**
 * Whether two lines say the same thing, give or take case, punctuation and a word or two. Words with a digit in them are
 * what a line is about, so those have to be the same ones.
 */
export function sameLine(a: string, b: string): boolean {
  const one = lineWords(a);
  const two = lineWords(b);
  if (one.size === 0 || two.size === 0) return a.trim() === b.trim();
  if ([...one.symmetricDifference(two)].some(isExact)) return false;
  const shared = weigh(one.intersection(two));
  return shared / (weigh(one) + weigh(two) - shared) >= 0.75;
}

const SIGN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

/** Two signs are about a word: one name of another is not lost among the many signs of a line. */
function weigh(words: ReadonlySet<string>): number {
  return [...words].reduce((sum, word) => sum + (SIGN.test(word) ? 0.5 : 1), 0);
}

/** Whether two lines are the same but for case, spaces and how they end. */
export function sayTheSame(a: string, b: string): boolean {
  return a === b || bareWords(a) === bareWords(b);
}

/** A line without what does not matter to what it says. */
export function bareWords(text: string): string {
  const words = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  return words.replace(/[.!。]+$/, '') || words;
}

/** Whether `done` says that the task `open` was done: most of the task's words are in it, and none that it was not. */
export function finishesTask(done: string, open: string): boolean {
  const said = lineWords(done);
  const task = [...lineWords(open)];
  if (task.some((word) => isExact(word) && !said.has(word))) return false;
  const found = task.filter((word) => said.has(word)).length;
  return task.length > 0 && found / task.length >= 0.7 && !leavesOpen(done, open);
}

/** Whether a word is a figure or a name with one, which has no near misses. */
export function isExact(word: string): boolean {
  return /\d/.test(word);
}

const FILLERS = new Set(
  'a an and are be been done finished completed for has have in is it now of on the this to was with'.split(
    ' ',
  ),
);

const MOST_KNOWN = 10_000;
const known = new Map<string, ReadonlySet<string>>();

/**
 * Content words, roughly stemmed; single characters where a script has no spaces. A line is compared with many others, so
 * the words of those seen last are kept.
 */
export function lineWords(text: string): ReadonlySet<string> {
  let words = known.get(text);
  if (!words) {
    words = findWords(text);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, words);
  }
  return words;
}

/** Where signs follow a Latin name without a space, the name ends there. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[[\p{L}\p{N}_.\/\-]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]+/gv;

function findWords(text: string): Set<string> {
  const found = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  return new Set(
    found
      .map((word) => word.replace(/^[./-]+|[./-]+$/g, ''))
      .filter((word) => word && !FILLERS.has(word))
      .map(stem),
  );
}

/** Verbs that say in another way that something was done. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `began begin begun begin bought buy brought bring built build chose choose chosen choose drew draw drawn draw fed feed
  found find gave give given give got get held hold hid hide hidden hide kept keep led lead made make met meet paid pay ran
  run rebuilt rebuild redid redo redone redo reran rerun resent resend rewrote rewrite rewritten rewrite said say saw see
  seen see sent send showed show shown show sold sell spent spend swept sweep taken take taught teach thought think threw
  throw thrown throw told tell took take undid undo undone undo withdrew withdraw won win wrote write written write`
    .split(/\s+/)
    .reduce<[string, string][]>((pairs, word, index, words) => {
      if (index % 2 === 0) pairs.push([word, words[index + 1]!]);
      return pairs;
    }, []),
);

/** "fix" and "fixed", "rename" and "renamed", "wrote" and "write" are one word; "string" is not "str". */
function stem(said: string): string {
  const word = IRREGULAR.get(said) ?? said;
  const end = /(?:ing|ed|es|s)$/.exec(word)?.[0] ?? '';
  const least = end === 'ing' ? 4 : 3;
  const root = word.length - end.length >= least ? word.slice(0, word.length - end.length) : word;
  return root.length > 4 && root.endsWith('e') ? root.slice(0, -1) : root;
}
