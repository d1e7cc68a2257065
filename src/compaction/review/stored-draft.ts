import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ERROR_CODES } from '../../errors.ts';
import {
  Author,
  type Document,
  DroppedLine,
  type Entry,
  type EntryId,
  SeqRange,
  SUMMARY_DRAFT,
  Summary,
  SummaryCall,
  type Usage,
} from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { wholeBody } from '../../store/index.ts';

// A draft is a document beside the conversation: nothing in a context is made from it. Approving it writes the compaction
// and takes the document away in one append, so that a kill leaves the draft or the compaction.

const Content = z.looseObject({
  summary: Summary,
  covers: SeqRange,
  /** Of the ids of the entries that it stands for: others mean that it is stale. */
  source: z.string(),
  messages: z.int().min(0),
  tokensBefore: z.int().min(0),
  /** Lines removed or rewritten since it was made. */
  dropped: z.array(DroppedLine).optional(),
  by: Author,
  failures: z.array(z.object({ by: z.string(), reason: z.string(), code: z.enum(ERROR_CODES).optional() })),
  instructions: z.string().optional(),
  /** How the model was asked that wrote it. */
  call: SummaryCall.optional().catch(undefined),
});
type DraftContent = z.infer<typeof Content>;

export interface StoredDraft extends DraftContent {
  /** The entry that holds this version. */
  readonly id: EntryId;
  readonly at: number;
}

/** The draft that the session has. One in the form of a newer version reads as none. */
export async function readStoredDraft({ store, info }: Session): Promise<StoredDraft | undefined> {
  const seq = info.state.documents[SUMMARY_DRAFT];
  if (seq === undefined) return undefined;
  const [entry] = await store.read(info.id, { after: seq - 1, upTo: seq });
  if (entry?.body.kind !== 'document') return undefined;
  const body = await wholeBody(entry.body, (hash) => store.blob(hash));
  const content = Content.safeParse(body.kind === 'document' ? body.content : undefined).data;
  return content && { ...content, id: entry.id, at: entry.at };
}

/** `paid`: what its calls used, on the version that they made: a later one is the same summary, and not paid for again. */
export function draftDocument(
  {
    summary,
    covers,
    source,
    messages,
    tokensBefore,
    dropped,
    by,
    failures,
    instructions,
    call,
  }: DraftContent,
  paid: { readonly usage?: Usage | undefined; readonly model?: string | undefined } = {},
): Document {
  const content = { summary, covers, source, messages, tokensBefore, by, failures };
  const { usage, model } = paid;
  return {
    kind: 'document',
    id: SUMMARY_DRAFT,
    title: 'Draft summary',
    content: {
      ...content,
      ...(dropped && dropped.length > 0 && { dropped }),
      ...(instructions !== undefined && { instructions }),
      ...(call && { call }),
    },
    mediaType: 'application/json',
    ...(usage && { meta: { usage, ...(model !== undefined && { model }) } }),
  };
}

export function noDraft(): Document {
  return { kind: 'document', id: SUMMARY_DRAFT, title: 'Draft summary', content: null };
}

export function sourceOfLine(entries: readonly Entry[]): string {
  return createHash('sha256')
    .update(entries.map(({ id }) => id).join('\n'))
    .digest('hex');
}
