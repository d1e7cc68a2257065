import { type Compaction, type EntryBody, emptySummary, type SeqRange } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { countText } from '../../tokens/index.ts';
import type { FoundBody, FoundCompaction } from '../transcript.ts';
import type { Track } from './track.ts';

/** The body as it is stored: a foreign compaction gets the numbers of what it covers. */
export async function resolveBody(
  body: FoundBody,
  { store, track }: { store: Store; track: Track },
): Promise<EntryBody> {
  return body.kind === 'found-compaction' ? resolveCompaction(body, store, track) : body;
}

async function resolveCompaction(
  { keepFrom, covers: named, text, summary, tokensBefore, model, usage, meta }: FoundCompaction,
  store: Store,
  track: Track,
): Promise<EntryBody> {
  const kept = keepFrom === undefined ? undefined : await store.entry(track.session, keepFrom);
  const to = Math.max(1, kept && kept.seq <= track.lastSeq ? kept.seq - 1 : track.lastSeq);
  const covers = (named && (await rangeOf(named, store, track))) ?? { from: 1, to };
  const children = track.roots.filter((root) => root.from >= covers.from && root.to <= covers.to);
  const body: Compaction = {
    kind: 'compaction',
    level: Math.max(0, ...children.map(({ level }) => level)) + 1,
    covers,
    children: children.map(({ id }) => id),
    // Everything that the other program's model was sent; a digest of it would be a second opinion.
    summary: { ...(summary ?? emptySummary(text)) },
    tokensBefore: Math.round(tokensBefore ?? track.tokens),
    tokensAfter: countText(text),
    by: { kind: 'import', ...(model !== undefined && { model }) },
    // What the covered range held has not been compared with it.
    retention: 0,
    ...(usage && { usage }),
    ...(meta && { meta: { ...meta } }),
  };
  return body;
}

async function rangeOf(
  { from, to }: NonNullable<FoundCompaction['covers']>,
  store: Store,
  { session }: Track,
): Promise<SeqRange | undefined> {
  const [first, last] = await Promise.all([store.entry(session, from), store.entry(session, to)]);
  return first && last && first.seq <= last.seq ? { from: first.seq, to: last.seq } : undefined;
}
