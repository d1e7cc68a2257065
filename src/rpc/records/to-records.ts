import {
  CompactionPolicy,
  type Entry,
  isMarked,
  isPinned,
  type Message,
  type Part,
  placeOf,
  type SessionInfo,
} from '../../record/index.ts';
import { describeSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { renderSummary } from '../../summary/index.ts';
import { sayMessage } from '../../text/index.ts';
import type {
  CompactionRecord,
  DocumentRecord,
  EntryRecord,
  MessageRecord,
  SessionRecord,
  TodoRecord,
} from '../methods/index.ts';
import type { CompactionNode, CompactionTree } from './compaction-tree.ts';

export function toSession(info: SessionInfo): Omit<SessionRecord, 'cliSessionId'> {
  const { settings } = info.state;
  const { tags, ...described } = describeSession(info);
  return {
    ...described,
    tags: [...tags],
    place: placeOf(info.state),
    head: info.head,
    provider: settings.provider ?? null,
    model: settings.model ?? null,
    systemPrompt: settings.systemPrompt ?? null,
    compaction: CompactionPolicy.parse(settings.compaction ?? 'balanced'),
    usage: { ...info.usage },
  };
}

/** A message; `isActive` if the model sees it as it is. */
export function toMessage(
  { id, seq, at, tokens, body }: Entry & { readonly body: Message },
  { id: sessionId, state }: Pick<SessionInfo, 'id' | 'state'>,
  tree: CompactionTree,
): MessageRecord {
  const excluded = isMarked(state.excluded, { id, seq });
  const hidden = tree.standsFor(seq) !== undefined || isMarked(state.removed, { id, seq });
  return {
    id,
    sessionId,
    seq,
    role: body.role,
    content: contentOf(body.parts),
    parts: body.parts.map((part) => ({ ...part })),
    status: body.status ?? 'complete',
    model: body.model ?? null,
    usage: body.usage ?? null,
    durationMs: body.durationMs ?? null,
    tokens,
    createdAt: at,
    isActive: !hidden && !excluded,
    compactedIntoId: tree.homeOf(seq)?.entry.id ?? null,
    pinned: isPinned(state, { id, seq }),
    excluded,
    meta: body.meta ? { ...body.meta } : null,
  };
}

/** The text of parts, joined as it was streamed. */
export function contentOf(parts: readonly Part[]): string {
  return sayMessage({ parts }, { separator: '' });
}

export async function toCompaction(
  store: Store,
  { id: sessionId }: SessionInfo,
  { entry, status, messages }: CompactionNode,
): Promise<CompactionRecord> {
  const { id, seq, at, body } = entry;
  const { level, covers, children, tokensBefore, tokensAfter, retention, by, meta } = body;
  const range = { after: covers.from - 1, upTo: covers.to, only: 'messages', limit: 1 } as const;
  const [first] = await store.read(sessionId, range);
  const [last] = await store.read(sessionId, { ...range, order: 'newest-first' });
  return {
    id,
    sessionId,
    // A summary that a person wrote is given back in their words.
    summary: typeof meta?.markdown === 'string' ? meta.markdown : renderSummary(body.summary),
    startMessageId: first?.id ?? null,
    endMessageId: last?.id ?? null,
    messagesCompacted: messages,
    originalTokenCount: tokensBefore,
    compressedTokenCount: tokensAfter,
    createdAt: at,
    seq,
    level,
    covers: { ...covers },
    children: [...children],
    status,
    isActive: status === 'collapsed',
    retention,
    by: { ...by },
  };
}

export function toEntry({ id, seq, at, tokens, body }: Entry): EntryRecord {
  return { id, seq, at, tokens, body: body as EntryRecord['body'] };
}

export function toDocument({ at, body }: Entry, sessionId: string): DocumentRecord | undefined {
  if (body.kind !== 'document' || body.content === null) return undefined;
  const { id, title, content, mediaType = null, meta } = body;
  return {
    id,
    sessionId,
    title,
    content: plainJson(content),
    mediaType,
    meta: meta ? { ...meta } : null,
    updatedAt: at,
  };
}

export function toTodo({ at, body }: Entry, sessionId: string): TodoRecord | undefined {
  if (body.kind !== 'todo' || body.status === 'removed') return undefined;
  const { id, text, status, meta } = body;
  return { id, sessionId, text, status, meta: meta ? { ...meta } : null, updatedAt: at };
}

/** JSON has no bytes: they go as base64. */
export function plainJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainJson(inner)]));
}
