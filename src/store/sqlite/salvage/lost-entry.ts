import type { UnknownBody } from '../../../record/index.ts';
import { type EncodedEntry, encodeEntry } from '../../entry-format.ts';

/**
 * Stands where an entry was lost, so that the entries after it keep their numbers and whatever refers to those (forks,
 * compactions, marks) stays right. Readers see it as an entry of an unknown kind.
 */
export function lostEntry(seq: number, { reason, at }: { reason: string; at: number }): EncodedEntry {
  const body: UnknownBody = { kind: 'unknown', was: 'lost', value: { kind: 'lost', seq, reason } };
  return encodeEntry({ body }, at);
}
