import { isUnspaced } from './index-text.ts';

/** Whether the folded text holds the folded literal, not as a piece of a longer word. */
export function holdsLiteral(text: string, literal: string): boolean {
  const [first, last] = [firstPoint(literal), lastPoint(literal)];
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    const before = lastPoint(text.slice(Math.max(0, at - 2), at));
    const after = firstPoint(text.slice(at + literal.length, at + literal.length + 2));
    if (!joins(before, first) && !joins(last, after)) return true;
  }
  return false;
}

/** Two characters of one word. Unspaced scripts have no edges to respect. */
function joins(left: string, right: string): boolean {
  return isWordPoint(left) && isWordPoint(right);
}

function isWordPoint(point: string): boolean {
  return /[\p{L}\p{N}\p{M}\p{Co}]/u.test(point) && !isUnspaced(point);
}

function firstPoint(text: string): string {
  return text.length === 0 ? '' : String.fromCodePoint(text.codePointAt(0)!);
}

function lastPoint(text: string): string {
  const low = text.charCodeAt(text.length - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(-2) : text.slice(-1);
}
