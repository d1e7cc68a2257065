import { hash } from 'node:crypto';
import { writeSyntheticPair } from '../../../summary/index.ts';
import { fieldsOf, textOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { Shape, SummaryPlace } from '../shape.ts';

const HEADERS = new Set(['session', 'model_change', 'thinking_level_change']);

/** pi: a tree of records; in the first version a plain list of them. */
export const piShape: Shape = {
  kindOf({ type, message }) {
    if (typeof type === 'string' && HEADERS.has(type)) return 'header';
    if (type === 'compaction') return 'compaction';
    if (type === 'branch_summary' || type === 'custom_message') return 'beside';
    if (type !== 'message') return 'other';
    const { role } = fieldsOf(message);
    if (role === 'user') return 'question';
    return role === 'assistant' ? 'answer' : role === 'toolResult' ? 'result' : 'beside';
  },
  nameOf: ({ type, id }) => (type === 'session' ? undefined : textOf(id)),
  parentOf: ({ parentId }) => (parentId === null ? null : textOf(parentId)),
  takesBack: () => 0,
  keptBy({ firstKeptEntryId, firstKeptEntryIndex }) {
    if (typeof firstKeptEntryId === 'string') return { name: firstKeptEntryId };
    return typeof firstKeptEntryIndex === 'number' ? { index: firstKeptEntryIndex } : undefined;
  },
  summaryRecords(place) {
    return place.style === 'own' ? [compaction(place)] : pair(place);
  },
  elide(record, note) {
    const { details: _, ...message } = fieldsOf(record.message);
    return { ...record, message: { ...message, content: [{ type: 'text', text: note }] } };
  },
  callsIn({ message }) {
    const { content, toolCallId } = fieldsOf(message);
    const blocks = Array.isArray(content) ? content.map(fieldsOf) : [];
    const calls = blocks.flatMap(({ type, id }) => (type === 'toolCall' ? (textOf(id) ?? []) : []));
    return { calls, results: [textOf(toolCallId) ?? []].flat() };
  },
  otherName: (name) => hash('sha256', `${name} compaction`).slice(0, 8),
  repeat: (record, { name, after }) => ({ ...record, id: name, parentId: after }),
  placeholder: (id, parentId, timestamp) => ({
    type: 'custom',
    id,
    parentId,
    timestamp,
    customType: 'throughline',
    data: { compacted: true },
  }),
  renumber: (line, gone) =>
    line.replace(
      /("firstKeptEntryIndex"\s*:\s*)(\d+)/,
      (_, key: string, index: string) => `${key}${Number(index) - gone(Number(index))}`,
    ),
};

function compaction({ text, tokensBefore, timestamp, name, after, next }: SummaryPlace): Fields {
  const place = name === undefined ? {} : { id: name, parentId: after };
  const kept =
    next.name === undefined ? { firstKeptEntryIndex: next.index + 1 } : { firstKeptEntryId: next.name };
  return { type: 'compaction', ...place, timestamp, summary: text, ...kept, tokensBefore };
}

/** Two messages as pi itself writes them, so that it finds every field that it looks at. */
function pair({ text, timestamp, name, after, like }: SummaryPlace): Fields[] {
  const { user, assistant } = writeSyntheticPair(text);
  const first = name === undefined ? undefined : hash('sha256', `${name} summary`).slice(0, 8);
  const at = Date.parse(timestamp);
  const content = (words: string) => [{ type: 'text', text: words }];
  const { api, provider, model } = fieldsOf(like.message);
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return [
    {
      type: 'message',
      ...(first !== undefined && { id: first, parentId: after }),
      timestamp,
      message: { role: 'user', content: content(user), timestamp: at },
    },
    {
      type: 'message',
      ...(first !== undefined && { id: name, parentId: first }),
      timestamp,
      message: {
        role: 'assistant',
        content: content(assistant),
        api: api ?? 'openai-completions',
        provider: provider ?? 'throughline',
        model: model ?? 'throughline',
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: none },
        stopReason: 'stop',
        timestamp: at,
      },
    },
  ];
}
