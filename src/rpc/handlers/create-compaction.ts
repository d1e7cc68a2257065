import { measureRetention, touches } from '../../compaction/index.ts';
import { readCompactionTree, refused, toCompaction } from '../../operations/index.ts';
import {
  type Compaction,
  type Entry,
  type EntryId,
  emptySummary,
  type NewEntry,
  newEntryId,
  type SessionInfo,
  type Summary,
} from '../../record/index.ts';
import { livingRoots, readFrontier, type Session } from '../../session/index.ts';
import { retryOnHeadMoved, type Store } from '../../store/index.ts';
import { readLooseSummary, renderSummary } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';
import type { Handler } from '../call.ts';
import { messageIn } from './chat-message.ts';

// A summary that a client wrote. Until it is applied it stands there opened: the entry and the mark that opens it are one
// append, so there is no moment, and no kill, at which messages are hidden without being meant to be.

export const createCompaction: Handler<'chat/compaction/create'> = async (
  params,
  { store, sessions, find },
) => {
  const { sessionId, apply, summary: markdown, startMessageId, endMessageId, id = newEntryId() } = params;
  const { id: name } = await find(sessionId);
  const asked = { markdown, startMessageId, endMessageId };
  await sessions.use(name, async (session) => {
    if (await isRepeat(store, name, id, markdown)) return;
    await append(session, { id, apply, asked });
  });
  const info = (await store.session(name))!;
  const node = (await readCompactionTree(store, info)).find(id)!;
  return { compaction: await toCompaction(store, info, node) };
};

interface Asked {
  readonly markdown: string;
  readonly startMessageId: EntryId;
  readonly endMessageId: EntryId;
}

async function isRepeat(store: Store, session: string, id: EntryId, markdown: string): Promise<boolean> {
  const known = await store.entry(session, id);
  if (!known) return false;
  if (known.body.kind === 'compaction' && known.body.meta?.markdown === markdown) return true;
  throw refused('entry-conflict', `Entry ${id} is already there, and says something else.`, { entry: id });
}

async function append(
  session: Session,
  { id, apply, asked }: { id: EntryId; apply: boolean; asked: Asked },
): Promise<void> {
  const opened: NewEntry = { body: { kind: 'mark', mark: 'expanded', target: { entry: id } } };
  // After another writer the range may hold another compaction, so the body is made anew.
  await retryOnHeadMoved(async () => {
    const info = await session.refresh();
    const body = await bodyOf(session.store, info, asked);
    await session.append([{ id, body }, ...(apply ? [] : [opened])], { expectedHead: info.head });
  });
}

async function bodyOf(store: Store, info: SessionInfo, asked: Asked): Promise<Compaction> {
  const start = await messageIn(store, info, asked.startMessageId);
  const end = await messageIn(store, info, asked.endMessageId);
  if (start.seq > end.seq)
    throw refused('usage', 'The first message of a compaction comes after its last.', {
      start: start.seq,
      end: end.seq,
    });
  const covers = { from: start.seq, to: end.seq };
  const living = await livingRoots(store, info);
  const torn = living.find(
    (root) => touches(root, covers) && !(root.from >= covers.from && root.to <= covers.to),
  );
  if (torn)
    throw refused(
      'usage',
      `The range reaches into compaction ${torn.id}, which covers entries ${torn.from} to ${torn.to}: cover all of it or none.`,
      { compaction: torn.id },
    );
  const entries = (await readFrontier(store, info)).filter(inside(covers));
  const children = entries.filter(({ body }) => body.kind === 'compaction');
  const levels = children.map(({ body }) => (body.kind === 'compaction' ? body.level : 0));
  const summary = toSummary(asked.markdown);
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
    meta: { markdown: asked.markdown },
  };
}

function inside({ from, to }: { from: number; to: number }): (entry: Entry) => boolean {
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
