import { type App, perform, printedBy, type Request } from '../../../operations/index.ts';
import type { SessionId } from '../../../record/index.ts';
import { renderCompaction } from '../render/render-compaction.ts';
import { renderDraft, SAME_DRAFT, sayWays } from '../render/render-draft.ts';
import type { ReviewPlace } from '../review-draft.ts';
import { confirm } from '../terminal/confirm.ts';
import { canEdit } from '../terminal/edit-text.ts';
import { note, printJson, printLines } from '../terminal/print.ts';

export interface DraftOptions {
  readonly review?: boolean;
  readonly approve?: boolean;
  readonly discard?: boolean;
  readonly again?: boolean;
  readonly json?: boolean;
  readonly model?: string;
}

interface DraftCommand {
  readonly app: App;
  readonly id: SessionId;
  readonly options: DraftOptions;
  /** Of the summary, as `compact` has them. */
  readonly asked: {
    readonly chatSessionId: SessionId;
    readonly instructions?: string | undefined;
  };
  readonly request: Request;
  /** The line that says who writes. */
  readonly waiting: { end(): void };
}

/** `compact` with --review, --approve or --discard. */
export async function runDraftCommand({
  app,
  id,
  options,
  asked,
  request,
  waiting,
}: DraftCommand): Promise<void> {
  const { approveContextDraft, discardContextDraft, draftContext } = await import(
    '../../../operations/compaction/index.ts'
  );
  const { approve, discard, reviewDraft } = await import('../review-draft.ts');
  const { json = false, model, again } = options;
  const place: ReviewPlace = {
    app,
    session: id,
    writer: { writer: 'digest', model },
    request,
    lend: (work) => work(),
    say: note,
    confirm,
  };
  if (options.approve) {
    const result = await approve(place).finally(waiting.end);
    return json
      ? printJson(printedBy(approveContextDraft, 'compact --approve', result))
      : printLines(renderCompaction(id, result));
  }
  if (options.discard) {
    const result = await discard(app, id);
    return json
      ? printJson(printedBy(discardContextDraft, 'compact --discard', result))
      : printLines(['The draft is gone. The context is as it was.']);
  }
  const wanted = { ...asked, writer: 'digest', model, again } as const;
  const made = await perform(draftContext, wanted, app, request).finally(waiting.end);
  if (json) return printJson(printedBy(draftContext, 'compact --review', made));
  const { draft } = made;
  if (made.replaced && !again) note('The entries of the earlier draft have changed, so it was written anew.');
  if (!made.made) note(`${SAME_DRAFT} --again writes it anew.`);
  if (!canEdit()) return printLines(renderDraft(id, draft));
  const outcome = await reviewDraft(place, draft).finally(waiting.end);
  if (outcome.did === 'approve') return printLines(renderCompaction(id, outcome.result));
  return printLines([
    `${outcome.emptied ? 'Nothing was changed' : 'Nothing was put in place'}; the draft is kept.`,
    ...sayWays(id),
  ]);
}
