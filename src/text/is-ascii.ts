// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII.
const ASCII = /^[\x00-\x7f]*$/;

/** Most text is, and can be read by patterns that are far quicker than those for any script. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}
