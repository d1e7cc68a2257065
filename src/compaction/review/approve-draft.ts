import { ThroughlineError } from '../../errors.ts';
import { type EntryId, type SessionInfo, SUMMARY_DRAFT } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { retryOnHeadMoved } from '../../store/index.ts';
import { commitCompaction } from '../commit-compaction.ts';
import type { CompactOptions } from '../compact-options.ts';
import { type CompactionResult, describeCompaction, mergeTiers } from '../compact-session.ts';
import { hasWords } from '../has-words.ts';
import type { RangeDraft } from '../summarise-range.ts';
import { rejected } from '../verify-summary.ts';
import { withLineSources } from './dropped-lines.ts';
import { planDrafted } from './plan-drafted.ts';
import { measureDraft, tokensOfDraft } from './read-draft.ts';
import { noDraft, readStoredDraft, type StoredDraft } from './stored-draft.ts';

interface ApproveOptions extends CompactOptions {
  /** The version that was looked at: another one is refused. */
  readonly draft?: EntryId;
}

/**
 * Puts the draft in the place of its entries, as it stands, and merges neighbours into the next tier. If its entries have
 * changed it is refused as `compaction-stale` and stays as it is.
 */
export async function approveDraft(
  session: Session,
  { draft: seen, ...options }: ApproveOptions = {},
): Promise<CompactionResult> {
  const stored = await findDraft(session, seen);
  const plan = await planDrafted(session, stored);
  if (!plan) throw outdated(session.id);
  const { summary, by, instructions, call } = stored;
  if (!hasWords(summary)) throw rejected('nothing is left in it');
  const draft: RangeDraft = {
    summary,
    tokens: tokensOfDraft(summary),
    retention: measureDraft(plan, summary).score,
    by,
    failures: stored.failures as RangeDraft['failures'],
    ...(call && { call }),
  };
  const notes = stored.dropped ? await session.read({ only: 'notes' }) : [];
  const dropped = withLineSources(stored.dropped ?? [], notes, plan);
  const entry = await commitCompaction(session, plan, {
    draft,
    ...(instructions !== undefined && { instructions }),
    meta: { draft: stored.id, reviewed: true, ...(dropped.length > 0 && { dropped }) },
    along(info) {
      refuseOther(info, stored);
      return [noDraft()];
    },
  });
  const merged = await mergeTiers(session, () => options);
  return { ...describeCompaction(entry, plan, draft), ...merged };
}

/** Takes the draft away. What it cost stays in the ledger. */
export async function discardDraft(
  session: Session,
  { draft }: { readonly draft?: EntryId } = {},
): Promise<void> {
  await retryOnHeadMoved(async () => {
    await findDraft(session, draft);
    await session.append([noDraft()], { expectedHead: session.info.head });
  });
}

/** The draft of the session; an error if it has none, or another version than the one that was looked at. */
export async function findDraft(
  session: Session,
  seen?: EntryId,
): Promise<StoredDraft & { readonly seq: number }> {
  const { state } = await session.refresh();
  const stored = await readStoredDraft(session);
  if (!stored)
    throw new ThroughlineError('entry-not-found', `Session "${session.id}" has no draft summary.`, {
      details: { session: session.id },
    });
  if (seen !== undefined && stored.id !== seen) throw changed(session.id);
  return { ...stored, seq: state.documents[SUMMARY_DRAFT]! };
}

function refuseOther({ id, state }: SessionInfo, { seq }: { readonly seq: number }): void {
  if (state.documents[SUMMARY_DRAFT] !== seq) throw changed(id);
}

function outdated(session: string): ThroughlineError {
  return new ThroughlineError(
    'compaction-stale',
    `The entries that the draft summary of "${session}" stands for have changed since it was made: they were marked, compacted or opened. The draft is kept to be looked at; make a new one.`,
    { details: { session } },
  );
}

function changed(session: string): ThroughlineError {
  return new ThroughlineError(
    'compaction-stale',
    `The draft summary of "${session}" is not the one that you looked at: it was changed, approved or made anew since. Look at it again.`,
    { details: { session } },
  );
}
