import type { Hit, Recall, SearchOptions } from '../recall/index.ts';
import { tellingWords } from '../text/index.ts';
import { onlyChats } from './small-talk-topics.ts';

// The relevance floor. A message is looked up if it names something, and if something that was said is about it. The
// words of acknowledgements are known in ten languages; in any other, and for words that no list has, the log tells: a
// word of talk stands alone or among two or three others, a subject stands within a sentence.

/** A message of so many telling words is no small talk: the ranks of the search have to do. */
const MANY = { question: 3, statement: 5 };
/**
 * About so many of the telling words have to be in one message, as they are or in near synonyms: of one word half, of more
 * words more. Of three, one is in some sentence of every long conversation.
 */
const LEAST_WORDS = { named: 0.3, one: 0.5, two: 0.7, more: 1.05 };
/** Letters beside the matches that make a clause a sentence; a character of a script without spaces counts as three, a digit as two. */
const LEAST_AROUND = 8;
const LOOKED_AT = 30;
const MARK = ['\u0001', '\u0002'] as const;

export async function asksAbout(
  recall: Recall,
  message: string,
  options: SearchOptions & { readonly isOpen: (hit: Hit) => boolean | Promise<boolean> },
): Promise<boolean> {
  const asks = /[?？]\s*$/.test(message);
  const telling = tellingWords(message);
  if (!asks && onlyChats(telling)) return false;
  // "2", "option 3": a choice from the last answer.
  if (telling.every((word) => /^\d{1,2}$/.test(word))) return false;
  if (telling.length >= (asks ? MANY.question : MANY.statement)) return true;
  const { isOpen, ...search } = options;
  const hits = await recall.search(telling.join(' '), { ...search, limit: LOOKED_AT, mark: MARK });
  const least = leastWords(telling) / telling.length;
  const clauseEnd = asks ? SENTENCE_END : CLAUSE_END;
  for (const hit of hits)
    if (hit.cover >= least && saysMore(hit, clauseEnd) && (await isOpen(hit))) return true;
  return false;
}

function leastWords(telling: readonly string[]): number {
  if (hasName(telling)) return LEAST_WORDS.named;
  const counts = ['one', 'two'] as const;
  return LEAST_WORDS[counts[telling.length - 1] ?? 'more'];
}

/** True for a name with something asked about it. A name alone may be the one who is thanked. */
function hasName(telling: readonly string[]): boolean {
  return telling.slice(1).some((word) => /^\p{Lu}/u.test(word));
}

const SENTENCE_END = /[.!?…\n。！？]+(?=\s|$)|[。！？]/u;
/** "Thanks, I will": between commas an acknowledgement stands alone. A label and what it names do not stand apart. */
const CLAUSE_END = /[.!?,;…\n。！？、，；—–]+(?=\s|$)|[。！？、，；]/u;

/** True if a match stands within a sentence, or two of them together; what has no match was found by its meaning. */
function saysMore({ snippet }: Hit, end: RegExp): boolean {
  if (!snippet.includes(MARK[0])) return true;
  return snippet.split(end).some((clause) => {
    const found = clause.split(MARK[0]).length - 1;
    return found > 1 || (found === 1 && lettersIn(clause.replaceAll(MARKED, '')) >= LEAST_AROUND);
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks are characters that no text has.
const MARKED = /\u0001[^\u0002]*\u0002/g;

function lettersIn(text: string): number {
  const unspaced =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu) ?? [];
  const digits = text.match(/\p{N}/gu) ?? [];
  return (text.match(/[\p{L}\p{N}]/gu) ?? []).length + 2 * unspaced.length + digits.length;
}
