const END =
  /(?<=[.!?…]["')\]*_`]{0,3})\s+(?=["'([*_`]{0,3}[\p{Lu}\p{N}\p{Lo}"'([*_`-])|(?<=[。！？｡])|\r?\n+/u;
const FENCE = /^[ \t]*(?:```|~~~)[^\n]*\n[\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|(?![\s\S]))/gm;
/** Space that is not one blank, as most is. */
const SPACES = /\s{2,}|[^\S ]/g;
const MARKUP = /^[\s>#*+•–-]*(?:\d{1,3}[.)]\s+|\[[ xX]\]\s+)?/;

/** The sentences of a text that people or models wrote, as written but for list and heading marks; code blocks are left out. */
export function splitSentences(text: string): string[] {
  const prose = text.includes('```') || text.includes('~~~') ? text.replace(FENCE, '\n') : text;
  const found: string[] = [];
  for (const piece of prose.split(END)) {
    const sentence = piece
      .replace(MARKUP, '')
      .replace(/\*{2,}/g, '')
      .replace(SPACES, ' ')
      .trim();
    if (sentence) found.push(sentence);
  }
  return found;
}
