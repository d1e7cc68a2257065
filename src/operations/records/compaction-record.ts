import { z } from 'zod';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { renderSummary } from '../../summary/index.ts';
import type { CompactionNode } from './compaction-tree.ts';

export const Author = z.looseObject({
  kind: z.enum(['digest', 'model', 'person', 'import']),
  model: z.string().optional(),
  version: z.string().optional(),
});

export const Covers = z.strictObject({ from: z.int(), to: z.int() });

export const CompactionRecord = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    summary: z.string().describe('Markdown that begins with `## Conversation Summary`.'),
    startMessageId: z.string().nullable().describe('The first compacted message.'),
    endMessageId: z.string().nullable().describe('The last one.'),
    messagesCompacted: z.int(),
    originalTokenCount: z.int(),
    compressedTokenCount: z.int(),
    createdAt: z.number(),
    seq: z.int(),
    level: z.int().describe('1 covers messages; a higher one stands in for its children.'),
    covers: Covers.describe('The entries that it stands in for; the place of its card in the timeline.'),
    children: z.array(z.string()),
    status: z
      .enum(['collapsed', 'expanded', 'covered'])
      .describe(
        '`collapsed`: the model sees its summary. `expanded`: what is under it. `covered`: a higher one stands in for it.',
      ),
    isActive: z.boolean().describe('Whether its summary is in the context now.'),
    retention: z
      .number()
      .describe('Share of the paths, names and figures that the summary still has, 0 to 1.'),
    by: Author,
  })
  .meta({ id: 'Compaction' });
export type CompactionRecord = z.infer<typeof CompactionRecord>;

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
