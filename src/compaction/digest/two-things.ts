import { figuresIn, type Line, sharedWords } from '../../text/index.ts';
import { nameTwoThings } from './labels.ts';
import { singledOut } from './settle-open.ts';

/** Two lines that name files or numbered things, and none in common, are about two things. */
export function tellOfTwoThings(later: Line, earlier: Line): boolean {
  const names = singledOut(later.text);
  const others = singledOut(earlier.text);
  const isApart = names.length > 0 && others.length > 0 && !others.some((name) => names.includes(name));
  return isApart || areParallel(later, earlier);
}

/**
 * "We use Redis for quotas, it is 40 ms faster", "we use NATS for mails, it is 53 ms faster": the same words about two things,
 * because each names something that the other does not.
 */
function areParallel(later: Line, earlier: Line): boolean {
  const shared = sharedWords(later.words, earlier.words);
  if (shared < 2) return false;
  if (later.act !== 'changed' && (nameTwoThings(later.text, earlier.text) || tellsMore(later, earlier)))
    return true;
  if (shared < 4 || shared * 2 < Math.min(later.words.size, earlier.words.size)) return false;
  const isOwn = (word: string, other: Line) => !/^\p{N}/u.test(word) && !other.words.has(word);
  return (
    [...later.words].some((word) => isOwn(word, earlier)) &&
    [...earlier.words].some((word) => isOwn(word, later))
  );
}

/** None of its figures is the earlier one's, and most of its words are its own: it tells of something else in the same units. */
function tellsMore(later: Line, earlier: Line): boolean {
  const figures = figuresIn(later.text);
  const others = figuresIn(earlier.text);
  if (figures.size < 2 || others.size < 2 || !figures.isDisjointFrom(others)) return false;
  const words = [...later.words].filter((word) => !/^\p{N}/u.test(word));
  return words.filter((word) => earlier.words.has(word)).length * 2 < words.length;
}
