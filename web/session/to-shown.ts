import type { CompactionRecord } from '../../src/operations/records/compaction-record.ts';
import type { EntryRecord } from '../../src/operations/records/entry-record.ts';
import type { MessageRecord } from '../../src/operations/records/message-record.ts';
import type { ShownCompaction, ShownMessage } from '../timeline/shown.ts';

export function shownMessage(record: MessageRecord): ShownMessage {
  const { id, seq, createdAt, role, parts, tokens, status, model, usage, pinned, excluded, meta } = record;
  return {
    id,
    seq,
    at: createdAt,
    role,
    parts,
    tokens,
    status,
    pinned,
    excluded,
    steers: isSteering(meta),
    model: model ?? undefined,
    usage: usage ?? undefined,
  };
}

/** A message that was just written, as the log has it. */
export function shownEntry({ id, seq, at, tokens, body }: EntryRecord): ShownMessage | undefined {
  if (body.kind !== 'message') return undefined;
  const { role, parts, status, model, usage, meta } = body as unknown as ShownMessage & { meta?: unknown };
  return {
    id,
    seq,
    at,
    tokens,
    role,
    parts,
    status: status ?? 'complete',
    model,
    usage,
    pinned: false,
    excluded: false,
    steers: isSteering(meta),
  };
}

/** Messages that were handed in to a running turn carry its id. */
function isSteering(meta: unknown): boolean {
  return (meta as { run?: { steers?: unknown } } | null | undefined)?.run?.steers !== undefined;
}

export function shownCompaction(record: CompactionRecord): ShownCompaction {
  return {
    id: record.id,
    level: record.level,
    covers: record.covers,
    children: record.children,
    status: record.status,
    by: record.by,
    retention: record.retention,
    messages: record.messagesCompacted,
    tokensBefore: record.originalTokenCount,
    tokensAfter: record.compressedTokenCount,
    at: record.createdAt,
    summary: record.summary,
  };
}
