export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/** A text with marks around its matches, as pieces. Marks that do not pair are dropped, never shown. */
export function splitMarked(text: string, [open, close]: readonly [string, string]): Piece[] {
  const pieces: Piece[] = [];
  for (const [index, part] of text.split(open).entries()) {
    const end = part.indexOf(close);
    const marked = index > 0 && end >= 0 ? part.slice(0, end) : '';
    const rest = (index > 0 && end >= 0 ? part.slice(end + close.length) : part).replaceAll(close, '');
    if (marked !== '') pieces.push({ text: marked, marked: true });
    if (rest !== '') pieces.push({ text: rest, marked: false });
  }
  return pieces;
}
