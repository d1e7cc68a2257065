const PLAIN: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: ' ', f: ' ' };

/**
 * The text as it would be read, character for character in the same places: in JSON a token may stand right behind `\n`,
 * whose letter would look like a part of it. Escapes of escapes, as in JSON inside of JSON, are undone too.
 */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/(\\+)(?:u00([0-7][0-9a-f])|([nrtbf"'/]))/gi, (whole, _slashes, code, letter) => {
    const plain = code ? String.fromCharCode(Number.parseInt(code, 16)) : (PLAIN[letter] ?? letter);
    return plain.padStart(whole.length, ' ');
  });
}
