import { stripVTControlCharacters } from 'node:util';
import { textWidth } from './text-width.ts';

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
