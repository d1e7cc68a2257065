import { bold, dim, yellow } from '../terminal/paint.ts';
import { note, OutputClosed, print } from '../terminal/print.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { textWidth } from '../terminal/text-width.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { wrapText } from '../terminal/wrap-text.ts';
import { createMarkdownPainter } from './paint-markdown.ts';

/**
 * Where a chat is shown. In a terminal everything is on one screen. In a pipe stdout carries what was asked for, answers
 * and lists, and what is said beside it goes to stderr.
 */
export interface Screen {
  /** Whether there are colours and lines that can be drawn over. */
  readonly rich: boolean;
  /** A line about the conversation. */
  say(line: string): void;
  /** A line in the background: numbers, hints. */
  whisper(line: string): void;
  warn(line: string): void;
  /** Lines that were asked for. */
  show(lines: readonly string[]): Promise<void>;
  /** A line that is completed later: `… ✓`. */
  begin(line: string): void;
  end(line: string): void;
  /** An answer as it comes. */
  answer(name: string): AnswerView;
}

export interface AnswerView {
  add(text: string): void;
  /** A line in the middle of an answer: a tool call, a wait. */
  aside(line: string): void;
  end(): Promise<void>;
}

export function createScreen({ rich = process.stdout.isTTY === true }: { rich?: boolean } = {}): Screen {
  const out = (text: string) => process.stdout.write(text);
  const line = rich ? (text: string) => void out(`${wrapText(text, screenWidth())}\n`) : note;
  return {
    rich,
    say: (text) => line(visibleText(text)),
    whisper: (text) => line(rich ? dim(visibleText(text)) : visibleText(text)),
    warn: (text) => line(rich ? yellow(visibleText(`⚠ ${text}`)) : visibleText(`⚠ ${text}`)),
    show: async (lines) => {
      if (lines.length > 0) await print(`${lines.join('\n')}\n`);
    },
    begin: (text) => {
      if (rich) out(visibleText(text));
      else process.stderr.write(visibleText(text));
    },
    end: (text) => line(text),
    answer: (name) => (rich ? richAnswer(name) : plainAnswer()),
  };
}

function richAnswer(name: string): AnswerView {
  let begun = false;
  const whole = wholeCharacters();
  const width = screenWidth();
  const prefix = `${visibleText(name)}: `;
  let painter = createMarkdownPainter(write, { width, column: textWidth(prefix) });
  function write(text: string): void {
    process.stdout.write(text);
  }
  return {
    add(text) {
      if (!begun) write(bold(prefix));
      begun = true;
      painter.add(visibleText(whole(text)));
    },
    aside(line) {
      painter.end();
      painter = createMarkdownPainter(write, { width });
      write(`${dim(wrapText(visibleText(line), width))}\n`);
    },
    async end() {
      painter.end();
      if (begun) write('\n');
    },
  };
}

/** The answer as the model wrote it, whole lines, with nothing in front of it. */
function plainAnswer(): AnswerView {
  let last = '\n';
  const whole = wholeCharacters();
  let written: Promise<void> = Promise.resolve();
  let failure: unknown;
  const write = (text: string) => {
    if (text === '') return;
    last = text.at(-1)!;
    written = written
      .then(() => print(text))
      .catch((error: unknown) => {
        failure ??= error;
      });
  };
  return {
    add: (text) => write(visibleText(whole(text))),
    aside(line) {
      if (last !== '\n') write('\n');
      note(visibleText(line));
    },
    async end() {
      if (last !== '\n') write('\n');
      await written;
      if (failure instanceof OutputClosed) throw failure;
    },
  };
}

/** Pieces of a stream may part a character in two; the first half waits for the second. */
function wholeCharacters(): (text: string) => string {
  let half = '';
  return (piece) => {
    const text = half + piece;
    half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
    return half === '' ? text : text.slice(0, -1);
  };
}
