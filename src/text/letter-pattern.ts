// Letters and digits by whole blocks of the scripts that talk is read in. Sixteen ranges at most: the engine looks more than
// that up in a table, which takes twice as long.
const LETTERS =
  'A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0388-\u05ff\u0620-\u0963\u0966-\u1fff\u3005-\u3007\u3041-\u30fa\u30fc-\u9fff\uac00-\ud7ff\uff41-\uff5a\uff66-\uffdc';
const DIGITS = '0-9\uff10-\uff19';

/**
 * A pattern with its `\p{L}` and `\p{N}` spelled out. By Unicode's tables the engine takes several times as long to make one,
 * and three times as long to use it on text that is not ASCII alone. To match without regard to case costs as much again: where
 * a pattern has many words, the text is better put in small letters first.
 */
export function letterPattern(source: string, flags = 'u'): RegExp {
  return new RegExp(source.replace(CLASS, spellOut), flags);
}

const CLASS = /\\p\{[LN]\}|\\.|\[(?:\\.|[^\]\\])*\]/gs;

function spellOut(part: string): string {
  if (part.startsWith('[')) return part.replaceAll('\\p{L}', LETTERS).replaceAll('\\p{N}', DIGITS);
  return part === '\\p{L}' ? `[${LETTERS}]` : part === '\\p{N}' ? `[${DIGITS}]` : part;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII.
const ASCII = /^[\x00-\x7f]*$/;

/** Most text is, and can be read by patterns that are far quicker than those for any script. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}
