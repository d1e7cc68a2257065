import { type Fields, parseObject, recoverLine } from './recover-line.ts';

/** The records on a line: one, several where they are glued, none where nothing can be read. */
export function recordsIn(line: string): readonly Fields[] {
  if (line.trim() === '') return [];
  const value = parseObject(line);
  if (value) return [value];
  return recoverLine(line, () => true).pieces.flatMap((piece) => (piece.value ? [piece.value] : []));
}
