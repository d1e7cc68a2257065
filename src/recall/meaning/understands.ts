import type { Query } from '../search/parse-query.ts';
import type { Senses } from './embed-message.ts';

const KNOWN_SHARE = 0.6;

/**
 * Whether the word table knows what a query is about. It knows English; in another language it would compare spellings,
 * and words alone are better than that.
 */
export function understands({ terms, words }: Query, { table, name }: Senses): boolean {
  if (name !== table.name) return true;
  if (words.length === 0 || terms.some(({ kind }) => kind === 'pair')) return false;
  const known = words.filter((word) => table.read(word).known > 0);
  return known.length >= KNOWN_SHARE * words.length;
}
