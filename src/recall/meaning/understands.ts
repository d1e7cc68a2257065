import type { Query } from '../search/parse-query.ts';
import type { Senses } from './embed-message.ts';

const KNOWN_SHARE = 0.6;
/** Words that make a question English, and are none in the languages that share its letters. */
const ENGLISH =
  /\b(?:what|which|who|whom|whose|where|when|why|how|does|did|do|is|are|were|has|have|had|the|this|that|of|to|for|from|with|about|and|my|we|you|she|they)\b/gi;

/**
 * Whether the word table knows what a query is about. It knows English; in another language it would compare spellings,
 * and words alone are better than that. A question in English stays one around a name that no table has.
 */
export function understands({ terms, words, text }: Query, { table, name }: Senses): boolean {
  if (name !== table.name) return true;
  if (words.length === 0 || terms.some(({ kind }) => kind === 'pair')) return false;
  const known = words.filter((word) => table.read(word).known > 0).length;
  const english = text.match(ENGLISH)?.length ?? 0;
  return known + english >= KNOWN_SHARE * (words.length + english);
}
