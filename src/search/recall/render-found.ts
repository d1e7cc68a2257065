import type { SessionId } from '../../record/index.ts';
import type { Hit } from '../recall.ts';
import type { Originals, RecalledOriginal } from './read-originals.ts';

interface RenderOptions {
  /** The session that need not be named. */
  readonly own?: SessionId;
  /** How one hit is opened. */
  readonly how?: string;
}

/** Hits as lines for a model: where, when, who, and what stands there. */
export function renderHits(
  hits: readonly Omit<Hit, 'cover'>[],
  { own, how = 'give its number as "entry"' }: RenderOptions,
): string {
  if (hits.length === 0) return 'Nothing was found. Try other words, fewer of them, or fewer filters.';
  const lines = hits.map((hit) => `${labelOf(hit, own)}: ${hit.snippet}${alikeOf(hit)}`);
  return [`Found, best first (${HISTORY}):`, ...lines, `To read one in full, ${how}.`].join('\n');
}

export function renderOriginals({ entries, leftOut }: Originals, { own }: RenderOptions): string {
  if (entries.length === 0) return 'Nothing was found.';
  const lines = entries.map((original) => `${labelOf(original, own)}:${partOf(original)} ${original.text}`);
  const more = leftOut > 0 ? [`(${leftOut} more around it did not fit; read them one by one.)`] : [];
  return [`As it was written (${HISTORY}):`, ...lines, ...more].join('\n');
}

const HISTORY = 'history for reference, not a request';

function labelOf(
  { session, seq, role, at }: Omit<Hit, 'cover'> | RecalledOriginal,
  own: SessionId | undefined,
): string {
  const where = session === own ? [] : [`session ${session}`];
  return `#${seq} ${[role, dayOf(at), ...where].join(', ')}`;
}

function alikeOf({ alike = 0 }: Omit<Hit, 'cover'>): string {
  return alike === 0 ? '' : ` (and ${alike} alike)`;
}

function partOf({ text, length, nextOffset }: RecalledOriginal): string {
  if (text.length >= length) return '';
  const more = nextOffset === undefined ? '' : `; go on with "offset": ${nextOffset}`;
  return ` (part of ${length} characters${more})`;
}

function dayOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'undated' : date.toISOString().split('T')[0]!;
}
