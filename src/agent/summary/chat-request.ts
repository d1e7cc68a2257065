import type { ContextTool } from '../../context/index.ts';
import type { Entry, SummaryCall } from '../../record/index.ts';
import { infoAt, type Session } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { countPart } from '../../tokens/index.ts';
import { type ModelRequest, readNewest, requestFor } from '../request/build-request.ts';
import { type AnswerNotes, answerNotes, holderOf } from '../request/note-request.ts';

/** The newest request of a chat, gone on with what came of it. */
export interface ChatRequest extends Partial<Pick<AnswerNotes, 'options' | 'keptMs'>> {
  readonly request: ModelRequest;
  readonly tools: readonly ContextTool[];
  /** Tokens with which the request before it began too. */
  readonly shared: number;
  /** When that was answered. */
  readonly at: number;
}

/**
 * What the model was asked last in this session, with its answer and the results of the calls in it: a provider has read all
 * but these. The reason where the log does not hold the request, or it cannot be repeated word for word.
 */
export async function chatRequest(
  store: Store,
  info: Session['info'],
  model: string,
): Promise<ChatRequest | { readonly because: SummaryCall['because'] }> {
  const newest = await readNewest(store, info);
  const answer = newest.find(({ body }) => body.kind === 'message' && body.model === model);
  const { frame: noted, sent, recall, raised = 1, options, keptMs } = answer ? answerNotes(answer) : {};
  if (!answer || !noted || sent === undefined) return { because: 'not-asked-before' };
  const { request: frame } = await holderOf(store, info, { answer, noted });
  const { recalled = [] } = recall ? await holderOf(store, info, { answer, noted: recall }) : {};
  if (!frame) return { because: 'not-asked-before' };
  const then = await infoAt(store, info, await endOfTurn(store, info, answer));
  const request = await requestFor(store, then, { model, frame, recalled, hidden: 'cut', raised }).then(
    (built) => built as ModelRequest,
  );
  const { context } = request;
  const same = context.prefix.indexOf(sent);
  if (same < 0) return { because: context.steps.length > 0 ? 'shortened' : 'changed' };
  if (context.steps.length > 0) return { because: 'shortened' };
  const since = context.messages
    .slice(same)
    .flatMap(({ content }) => content as never[])
    .reduce((sum, part) => sum + countPart(part), 0);
  const scale = context.tokens / Math.max(1, request.estimated);
  const shared = Math.max(0, Math.round(context.tokens - since * scale));
  return { request, tools: frame.tools, shared, at: answer.at, options, keptMs };
}

/** The last entry before a new message behind the answer. */
async function endOfTurn(store: Store, info: Session['info'], answer: Entry): Promise<number> {
  const later = await store.read(info.id, { after: answer.seq, upTo: info.head, only: 'messages' });
  const next = later.find(({ body }) => body.kind === 'message' && body.role !== 'tool');
  return next ? next.seq - 1 : info.head;
}
