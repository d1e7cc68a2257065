import { bold, dim, yellow } from '../terminal/paint.ts';
import { note, OutputClosed, print } from '../terminal/print.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { textWidth, wrapText } from '../terminal/text-width.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { createMarkdownPainter } from './paint-markdown.ts';

/**
 * Where a chat is shown. In a terminal everything is on one screen. In a pipe stdout carries answers and lists, and notes go to
 * stderr.
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
  /** A line is being typed: output waits until it is done. Terminals only. */
  readonly held: boolean;
  hold(): void;
  release(): void;
}

export interface AnswerView {
  add(text: string): void;
  /** A line between two parts of an answer: a tool call, a wait. */
  aside(line: string): void;
  /** A line in the middle of it, between two words. */
  remark(line: string): void;
  /** Ends the line between two words, so that something else can be written; the next word begins a new one. */
  pause(): void;
  end(): Promise<void>;
}

export function createScreen({ rich = process.stdout.isTTY === true }: { rich?: boolean } = {}): Screen {
  let held: string[] | undefined;
  const out = (text: string): void => {
    if (held) held.push(text);
    else process.stdout.write(text);
  };
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
    answer: (name) => (rich ? richAnswer(name, out) : plainAnswer()),
    get held() {
      return held !== undefined;
    },
    hold() {
      if (rich) held ??= [];
    },
    release() {
      const texts = held ?? [];
      held = undefined;
      for (const text of texts) out(text);
    },
  };
}

function richAnswer(name: string, write: (text: string) => void): AnswerView {
  let begun = false;
  const whole = wholeCharacters();
  const prefix = `${visibleText(name)}: `;
  let painter = createMarkdownPainter(write, { width: screenWidth, column: textWidth(prefix) });
  const whisper = (line: string) => write(`${dim(wrapText(visibleText(line), screenWidth()))}\n`);
  return {
    add(text) {
      if (!begun) write(bold(prefix));
      begun = true;
      painter.add(visibleText(whole(text)));
    },
    aside(line) {
      painter.end();
      painter = createMarkdownPainter(write, { width: screenWidth });
      whisper(line);
    },
    remark(line) {
      painter.pause();
      whisper(line);
    },
    pause: () => painter.pause(),
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
  function aside(line: string): void {
    if (last !== '\n') write('\n');
    note(visibleText(line));
  }
  return {
    add: (text) => write(visibleText(whole(text))),
    aside,
    remark: aside,
    pause() {},
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
