import { ThroughlineError } from '../errors.ts';
import {
  type Compaction,
  type Entry,
  type EntryId,
  emptySummary,
  type NewEntry,
  type Root,
  type SeqRange,
  type SessionId,
  type SessionInfo,
  type Summary,
} from '../record/index.ts';
import { livingRoots, readFrontier, type Session } from '../session/index.ts';
import { retryOnHeadMoved, type Store } from '../store/index.ts';
import { readLooseSummary, renderSummary } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { touches } from './plan-compaction.ts';
import { measureRetention } from './retention/measure-retention.ts';

interface OwnSummary {
  /** Of the compaction; the same id with the same words again changes nothing. */
  readonly id: EntryId;
  readonly markdown: string;
  /** From the first message that the summary stands for to the last. */
  readonly covers: SeqRange;
  /** In effect at once; otherwise its messages stay in the context until it is collapsed. */
  readonly apply?: boolean;
}

/**
 * Stores a summary that a person wrote. Until it is applied it stands there opened: the entry and the mark that opens it are
 * one append, so there is no moment, and no kill, at which messages are hidden without being meant to be.
 */
export async function writeSummary(
  session: Session,
  { id, markdown, covers, apply = false }: OwnSummary,
): Promise<void> {
  if (await isRepeat(session, id, markdown)) return;
  const opened: NewEntry = { body: { kind: 'mark', mark: 'expanded', target: { entry: id } } };
  // After another writer the range may hold another compaction, so the body is made anew.
  await retryOnHeadMoved(async () => {
    const info = await session.refresh();
    const body = await bodyOf(session.store, info, { markdown, covers });
    await session.append([{ id, body }, ...(apply ? [] : [opened])], { expectedHead: info.head });
  });
}

async function isRepeat(
  { store, id: session }: { readonly store: Store; readonly id: SessionId },
  id: EntryId,
  markdown: string,
): Promise<boolean> {
  const known = await store.entry(session, id);
  if (!known) return false;
  if (known.body.kind === 'compaction' && known.body.meta?.markdown === markdown) return true;
  throw new ThroughlineError('entry-conflict', `Entry ${id} is already there, and says something else.`, {
    details: { entry: id },
  });
}

async function bodyOf(
  store: Store,
  info: SessionInfo,
  { markdown, covers }: Pick<OwnSummary, 'markdown' | 'covers'>,
): Promise<Compaction> {
  refuseTorn(await livingRoots(store, info), covers);
  const entries = (await readFrontier(store, info)).filter(inside(covers));
  const children = entries.filter(({ body }) => body.kind === 'compaction');
  const levels = children.map(({ body }) => (body.kind === 'compaction' ? body.level : 0));
  const summary = toSummary(markdown);
  return {
    kind: 'compaction',
    level: Math.max(0, ...levels) + 1,
    covers,
    children: children.map(({ id }) => id),
    summary,
    tokensBefore: entries.reduce((sum, { tokens }) => sum + tokens, 0),
    tokensAfter: countText(renderSummary(summary)),
    by: { kind: 'person' },
    retention: measureRetention(entries, summary).score,
    meta: { markdown },
  };
}

/** A summary stands for whole compactions: it may cover one of them, and never a part of it. */
function refuseTorn(roots: readonly Root[], covers: SeqRange): void {
  if (covers.from > covers.to)
    throw new ThroughlineError('usage', 'The first message of a compaction comes after its last.', {
      details: { start: covers.from, end: covers.to },
    });
  const torn = roots.find(
    (root) => touches(root, covers) && !(root.from >= covers.from && root.to <= covers.to),
  );
  if (!torn) return;
  throw new ThroughlineError(
    'usage',
    `The range reaches into compaction ${torn.id}, which covers entries ${torn.from} to ${torn.to}: cover all of it or none.`,
    { details: { compaction: torn.id } },
  );
}

function inside({ from, to }: SeqRange): (entry: Entry) => boolean {
  return ({ seq, body }) => {
    const span = body.kind === 'compaction' ? body.covers : { from: seq, to: seq };
    return span.from >= from && span.to <= to;
  };
}

/** In our own form its lists are known; any other text stands as it is. */
function toSummary(markdown: string): Summary {
  const text = markdown.replace(/^\s*## Conversation Summary\s*\n?/, '').trim();
  return readLooseSummary(markdown) ?? emptySummary(text);
}
