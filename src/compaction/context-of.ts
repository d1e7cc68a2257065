import {
  type Budget,
  type BuiltContext,
  buildContext,
  type ContextTool,
  cutAnswers,
  type HeadPiece,
  type Recalled,
  withoutAnswers,
  withoutUnsendable,
} from '../context/index.ts';
import { deriveEntryId, type Entry, type EntryId, type Seq, type SessionInfo } from '../record/index.ts';
import { infoAt, readConversation } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { countMessage } from '../tokens/index.ts';
import { digestEntries } from './digest/index.ts';

export interface ContextOfOptions {
  readonly budget: Budget;
  readonly head?: readonly HeadPiece[];
  readonly tools?: readonly ContextTool[];
  readonly recall?: readonly Recalled[];
  /** `provider:model` the request goes to. */
  readonly model?: string;
  /** As it was after this entry: what exactly the model saw then. */
  readonly at?: Seq;
  /** As if this were asked next. */
  readonly question?: string;
}

/**
 * What the model is sent for a session, now or at an earlier entry. Always fits; turns that do not are digested. As in a
 * run, half an answer is not sent when its question is asked again, nor what this model's provider has refused.
 */
export async function contextOf(
  store: Store,
  info: SessionInfo,
  { budget, head = [], tools, recall, model, at = info.head, question }: ContextOfOptions,
): Promise<BuiltContext> {
  const then = await infoAt(store, info, at);
  const conversation = await readConversation(store, then);
  const asked = question === undefined ? [] : [nextQuestion(question, at)];
  const hidden = question === undefined ? cutAnswers(conversation.frontier) : new Set<EntryId>();
  const { frontier, pinned } = withoutAnswers(conversation, hidden);
  const refused = model === undefined ? [] : (then.state.settings.unsendable ?? []);
  const sendable = (entries: readonly Entry[]) => withoutUnsendable(entries, refused, model ?? '');
  const state = {
    frontier: [...sendable(frontier), ...asked],
    pinned: sendable(pinned),
    marks: conversation.marks,
    head,
    ...(tools && { tools }),
    ...(recall && { recall }),
    ...(model !== undefined && { model }),
  };
  return buildContext(state, budget, {
    digest: (entries, maxTokens) => digestEntries(entries, { maxTokens }),
  });
}

/** An entry that is in no log. */
function nextQuestion(text: string, head: Seq): Entry {
  const body = { kind: 'message' as const, role: 'user' as const, parts: [{ type: 'text', text }] };
  return { id: deriveEntryId('question', text), seq: head + 1, at: 0, tokens: countMessage(body), body };
}
