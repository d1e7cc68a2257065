import { stripVTControlCharacters } from 'node:util';

// Made on first use: it takes milliseconds, and most lines are plain ASCII.
let segmenter: Intl.Segmenter | undefined;

function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter;
}

/** How many columns a line takes in a terminal: two for East Asian wide characters and emoji, none for marks. */
export function textWidth(line: string): number {
  if (PLAIN.test(line)) return line.length;
  let width = 0;
  for (const { segment } of graphemes().segment(line)) width += graphemeWidth(segment);
  return width;
}

/** The line, or as much of it as fits into `width` columns with an ellipsis. Never cuts inside a character. */
export function cutToWidth(line: string, width: number): string {
  // A character is rarely longer than 16 units; a line far longer than the screen need not be measured to its end.
  const near = line.length > width * 16 ? line.slice(0, width * 16) : line;
  if (near === line && textWidth(line) <= width) return line;
  let kept = '';
  let left = width - 1;
  for (const { segment } of graphemes().segment(near)) {
    left -= graphemeWidth(segment);
    if (left < 0) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept.trimEnd().toWellFormed()}…`;
}

const PLAIN = /^[ -~]*$/;
const ZERO = /^[\p{M}\p{Cf}]*$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|^\p{Extended_Pictographic}\ufe0f/u;

function graphemeWidth(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2;
  return ZERO.test(grapheme) ? 0 : 1;
}

/** Breaks lines between words, so that a terminal does not break them inside one. A longer word stays whole. */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (shownWidth(line) <= width ? line : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<=\S)\s+/)) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && shownWidth(longer) > width) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current].join('\n');
}

/** Colours take no room. */
function shownWidth(text: string): number {
  return textWidth(stripVTControlCharacters(text));
}
