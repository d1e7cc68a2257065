import type { BuiltContext } from '../../context/index.ts';
import type { Entry, EntryId, Message, Seq, SessionInfo } from '../../record/index.ts';
import { infoAt } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { type Announced, type Elsewhere, requestFor } from './build-request.ts';
import { answerNotes, holderOf } from './note-request.ts';

/** A request that was sent, built again from the log. */
export interface SentContext {
  readonly context: BuiltContext;
  /** How many messages of the log are in it, and how many summaries. */
  readonly holds: Announced['holds'];
  /** What the model answered it with. */
  readonly answer: { readonly entry: EntryId; readonly seq: Seq; readonly model: string };
  /** True if it equals the sent request to the byte: the answer keeps a hash of what it was asked. */
  readonly exact: boolean;
}

/**
 * What the model was sent after an entry, with the instructions, tools, limits and recall of that time; for an entry that
 * is an answer, what it answered. `undefined` if no model was asked there, or the answer does not say what it was asked:
 * it came from elsewhere.
 */
export async function contextAt(
  store: Store,
  info: SessionInfo,
  at: Seq,
  { elsewhere }: { readonly elsewhere?: Elsewhere | undefined } = {},
): Promise<SentContext | undefined> {
  const answer = await answerAt(store, info, at);
  const notes = answer && answerNotes(answer);
  if (!answer || notes?.frame === undefined || notes.seq === undefined) return undefined;
  if (notes.seq >= answer.seq) return undefined;
  const { request: frame } = await holderOf(store, info, { answer, noted: notes.frame });
  const { recalled = [] } = notes.recall
    ? await holderOf(store, info, { answer, noted: notes.recall })
    : { recalled: [] };
  if (!frame) return undefined;
  const model = answer.body.model ?? '';
  const then = await infoAt(store, info, notes.seq);
  const { context, holds } = await requestFor(store, then, {
    model,
    frame,
    recalled,
    hidden: 'cut',
    raised: notes.raised ?? 1,
    elsewhere,
  });
  return {
    context,
    holds,
    answer: { entry: answer.id, seq: answer.seq, model },
    exact: context.prefix.at(-1) === notes.sent,
  };
}

type Answered = Entry & { readonly body: Message };

/** This entry if a model said it, or else the next thing that was said if a model said that. */
async function answerAt(store: Store, { id }: SessionInfo, at: Seq): Promise<Answered | undefined> {
  const [own] = at > 0 ? await store.read(id, { after: at - 1, upTo: at, only: 'messages' }) : [];
  const [next] = await store.read(id, { after: at, only: 'messages', limit: 1 });
  return asAnswer(own) ?? asAnswer(next);
}

function asAnswer(entry: Entry | undefined): Answered | undefined {
  return entry?.body.kind === 'message' && entry.body.role === 'assistant'
    ? { ...entry, body: entry.body }
    : undefined;
}
