import { type DraftChange, readReview, renderReview } from '../../compaction/index.ts';
import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import {
  approveContextDraft,
  changeContextDraft,
  type DraftRecord,
  discardContextDraft,
} from '../../operations/compaction/index.ts';
import { type App, type OperationResult, perform, type Request } from '../../operations/index.ts';
import type { SessionId } from '../../record/index.ts';
import { sayChanges, sayDraft } from './render/render-draft.ts';
import { editText } from './terminal/edit-text.ts';

type Approved = OperationResult<typeof approveContextDraft>;

/** How the place where a draft is shown talks with a person. */
export interface ReviewPlace {
  readonly app: App;
  readonly session: SessionId;
  /** Who merges older summaries when it is approved. */
  readonly writer: { readonly writer: 'digest' | 'session'; readonly model?: string | undefined };
  readonly request: Request;
  /** Leaves the terminal to the editor. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  say(line: string): void;
  confirm(question: string): Promise<boolean>;
}

type Reviewed =
  | { readonly did: 'approve'; readonly result: Approved }
  /** `emptied`: the person emptied the file, so nothing was changed. */
  | { readonly did: 'keep'; readonly emptied: boolean };

/** Lets a person edit the draft, applies the changes, and asks whether to put it in place. */
export async function reviewDraft(place: ReviewPlace, draft: DraftRecord): Promise<Reviewed> {
  const { app, session: chatSessionId } = place;
  using edited = await place.lend(() => editText(renderReview(draft), 'summary-draft.md'));
  let changed = draft;
  let changes: readonly DraftChange[] | undefined;
  try {
    changes = readReview(draft, edited.text);
    if (!changes) return { did: 'keep', emptied: true };
    if (changes.length > 0) changed = await change(app, { chatSessionId, draft: draft.id, changes });
  } catch (error) {
    if (!isThroughlineError(error)) throw error;
    const { code, message, details } = error;
    throw new ThroughlineError(
      code,
      `${message} The draft is as it was; your text is kept in ${edited.keep()}.`,
      {
        details,
        cause: error,
      },
    );
  }
  if (changes.length > 0) place.say(sayChanges(changes));
  place.say(sayDraft(changed));
  if (!(await place.confirm('Put it in the place of these messages?')))
    return { did: 'keep', emptied: false };
  return { did: 'approve', result: await approve(place, changed.id) };
}

async function change(
  app: App,
  given: { chatSessionId: SessionId; draft: string; changes: readonly DraftChange[] },
): Promise<DraftRecord> {
  const { draft } = await perform(changeContextDraft, { ...given, changes: [...given.changes] }, app);
  return draft;
}

export function approve(
  { app, session, writer, request }: Pick<ReviewPlace, 'app' | 'session' | 'writer' | 'request'>,
  draft?: string,
): Promise<Approved> {
  return perform(approveContextDraft, { chatSessionId: session, draft, ...writer }, app, request);
}

export async function discard(
  app: App,
  session: SessionId,
): Promise<OperationResult<typeof discardContextDraft>> {
  return perform(discardContextDraft, { chatSessionId: session }, app);
}
