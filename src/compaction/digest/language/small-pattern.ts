// Letters and digits by whole blocks of the scripts that talk is read in. Sixteen ranges at most: the engine looks more than
// that up in a table, which costs twice as much.
const LETTERS =
  'a-zªº\u00df-\u00f6\u00f8-\u02af\u0388-\u05ff\u0620-\u0963\u0966-\u1fff\u3041-\u30fa\u30fc-\u9fff\uac00-\ud7ff\uff41-\uff5a\uff66-\uffdc';
const DIGITS = '0-9\uff10-\uff19';

/**
 * A pattern for text in small letters, its `\p{L}` and `\p{N}` spelled out. Without regard to case and by Unicode's tables the
 * engine takes five times as long to make one, and up to three times as long to use it.
 */
export function smallPattern(source: string, flags = 'u'): RegExp {
  return new RegExp(source.replace(CLASS, spellOut), flags);
}

const CLASS = /\\p\{[LN]\}|\\.|\[(?:\\.|[^\]\\])*\]/gs;

function spellOut(part: string): string {
  if (part.startsWith('[')) return part.replaceAll('\\p{L}', LETTERS).replaceAll('\\p{N}', DIGITS);
  return part === '\\p{L}' ? `[${LETTERS}]` : part === '\\p{N}' ? `[${DIGITS}]` : part;
}
