import { textWidth } from '../terminal/text-width.ts';

/** Breaks lines between words while they are being written: a word that is not whole yet is held back. */
interface WordWrap {
  /** Text of one line, and how it is painted. */
  add(text: string, paint: (text: string) => string): void;
  /** Lines that go on begin in the column where this one is now: with blanks, or with what `lead` says. */
  hang(lead?: string): void;
  newline(): void;
  /** Ends the line before the word that is not whole yet, which begins the next one. Tells whether there is one. */
  pause(): boolean;
  /** Writes held text. */
  flush(): void;
}

export function createWordWrap(
  write: (text: string) => void,
  { width: widthNow, column: start }: { width: () => number; column: number },
): WordWrap {
  let column = start;
  let indent = 0;
  let lead = '';
  let gap = { text: '', width: 0 };
  let word = { text: '', width: 0 };

  function flush(): void {
    // The window may have another size by now.
    const width = widthNow();
    const held = gap.width + word.width;
    if (held === 0) return;
    if (word.width > 0 && column + held > width && column > indent) {
      write(`\n${lead}${word.text}`);
      column = indent + word.width;
    } else {
      write(gap.text + word.text);
      column += held;
    }
    // A word longer than a line is broken by the terminal.
    if (column > width) column = ((column - 1) % width) + 1;
    gap = { text: '', width: 0 };
    word = { text: '', width: 0 };
  }

  return {
    add(text, paint) {
      for (const piece of text.match(/ +|[^ ]+/g) ?? []) {
        const painted = { text: paint(piece), width: textWidth(piece) };
        if (piece.startsWith(' ')) {
          if (word.width > 0) flush();
          gap = { text: gap.text + painted.text, width: gap.width + painted.width };
        } else word = { text: word.text + painted.text, width: word.width + painted.width };
      }
    },
    hang(given) {
      flush();
      // On a narrow screen there is no room for it.
      indent = column <= widthNow() / 2 ? column : 0;
      lead = indent === 0 ? '' : (given ?? ' '.repeat(indent));
    },
    newline() {
      flush();
      write('\n');
      column = 0;
      indent = 0;
      lead = '';
    },
    pause() {
      gap = { text: '', width: 0 };
      if (column > 0) write('\n');
      column = 0;
      return word.width > 0;
    },
    flush,
  };
}
