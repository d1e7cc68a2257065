import type { CompactionRecord, EntryRecord, MessageRecord } from '../../src/rpc/methods/index.ts';
import type { ShownCompaction, ShownMessage } from '../timeline/shown.ts';

export function shownMessage(record: MessageRecord): ShownMessage {
  const { id, seq, createdAt, role, parts, tokens, status, model, usage, pinned, excluded } = record;
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
    model: model ?? undefined,
    usage: usage ?? undefined,
  };
}

/** A message that was just written, as the log has it. */
export function shownEntry({ id, seq, at, tokens, body }: EntryRecord): ShownMessage | undefined {
  if (body.kind !== 'message') return undefined;
  const { role, parts, status, model, usage } = body as unknown as ShownMessage;
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
  };
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
