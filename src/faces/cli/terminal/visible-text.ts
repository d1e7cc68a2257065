/**
 * Stored text comes from anywhere: a tool output may hold escape sequences that move the cursor, rename the window or turn the
 * line around. Everything that reaches a terminal goes through here first, so that such text is seen and not obeyed.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, show);
}

/** The same on one line: line breaks and runs of blanks become single spaces. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' ').trim());
}

// Control characters, halves of surrogate pairs, and the marks that reorder text (U+202A to U+202E, U+2066 to U+2069).
const UNSAFE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

function show(character: string): string {
  const code = character.codePointAt(0)!;
  if (character === '\n' || character === '\t') return character;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
