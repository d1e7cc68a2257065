/**
 * The same reading of a text, with its answers kept: a text that is read once is mostly read again soon, by another rule. The
 * last `most` texts are known, and never more than twice as many.
 */
export function remember<Value>(read: (text: string) => Value, most: number): (text: string) => Value {
  let lately = new Map<string, Value>();
  let before = new Map<string, Value>();
  return (text) => {
    const known = lately.get(text);
    if (known !== undefined) return known;
    const value = before.get(text) ?? read(text);
    if (lately.size >= most) {
      before = lately;
      lately = new Map();
    }
    lately.set(text, value);
    return value;
  };
}

/** The same for words, of which a language has few that are used. */
export function rememberWords<Value>(read: (word: string) => Value): (word: string) => Value {
  const known = remember(read, MOST_WORDS);
  return (word) => (word.length < LONG ? known(word) : read(word));
}

const MOST_WORDS = 20_000;
/** The engine makes a longer word as a piece of its text: to know the word would keep all of the text in memory. */
const LONG = 13;
