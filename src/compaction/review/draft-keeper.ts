import { isThroughlineError } from '../../errors.ts';
import { type Seq, SUMMARY_DRAFT } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import type { AutoCompaction, AutoOptions, AutoOutcome, DraftToTell } from '../auto-compaction.ts';
import { prepare } from '../compact-session.ts';
import { fitLoad, isWorth, whyNoRoom } from '../fit-load.ts';
import { countSpent, createModelLeave, writerNow } from '../model-leave.ts';
import { sumEntryTokens } from '../oldest-run.ts';
import { checkTrigger, type Load, settingsFor } from '../read-policy.ts';
import { draftCompaction } from './draft-compaction.ts';
import { planDrafted } from './plan-drafted.ts';
import { tokensOfDraft } from './read-draft.ts';
import { readStoredDraft } from './stored-draft.ts';

// Where a person is asked first, a full context gets a draft instead of a compaction. Until it is approved requests are
// fitted into the window one by one, as where automatic compaction is off: no turn waits for a summary, and none fails.

/** Notes of the log that are looked through for a draft that was taken away. */
const MOST_SOUGHT = 200;

/** Automatic compaction that makes a draft where another would compact. A draft that waits, or was discarded, is not made again. */
export function createDraftKeeper(session: Session, options: AutoOptions): AutoCompaction {
  const { measure, now = Date.now, spendPerHour, summariser, ...given } = options;
  const settings = settingsFor(session.info.state, given.settings);
  const leave = createModelLeave({ spendPerHour, now });
  let abort = new AbortController();
  let making: Promise<DraftToTell | undefined> | undefined;
  let told: string | undefined;
  let counted = false;

  /** `undefined` if nothing can be summarised that is worth it. */
  async function make(load: Load): Promise<DraftToTell | undefined> {
    const fit = fitLoad(load, settings);
    const since = await discardedAt(session);
    try {
      const { plan } = await prepare(session, { ...given, settings }, { fit });
      const fresh = plan.entries.filter(({ seq }) => seq > since);
      if (since > 0 && !isWorth(fresh, fit, sumEntryTokens(fresh))) return undefined;
      const signal = AbortSignal.any([abort.signal, ...(given.signal ? [given.signal] : [])]);
      const summary = { load, summaryTokens: fit.budget, signal, onUsage: leave.spend };
      const writer = writerNow(leave, summariser);
      const draft = await draftCompaction(session, { ...given, settings, ...summary, ...writer }, { fit });
      if (writer.summariser === summariser) leave.judge(draft);
      return draft;
    } catch (error) {
      // Too little to summarise, cancelled, or a log that cannot be written: the next turn tries again.
      if (!isThroughlineError(error)) throw error;
      return undefined;
    }
  }

  function tell({ id, messages, tokensBefore, tokensAfter }: DraftToTell): AutoOutcome {
    if (told === id) return { did: 'nothing' };
    told = id;
    return { did: 'draft', draft: { id, messages, tokensBefore, tokensAfter } };
  }

  return {
    async consider() {
      if (!counted && spendPerHour !== undefined) await countSpent(session, leave.spend);
      counted = true;
      const load = await measure();
      if (making || checkTrigger(load, settings) !== 'hard') return { did: 'nothing' };
      await session.refresh();
      const stored = await readStoredDraft(session);
      if (stored && (await planDrafted(session, stored)))
        return tell({ ...stored, tokensAfter: tokensOfDraft(stored.summary) });
      if (whyNoRoom(load, settings, 0) !== undefined) return { did: 'nothing' };
      making = make(load).finally(() => {
        making = undefined;
      });
      // No turn waits for a model that writes a draft: its request would be none the smaller. The next one tells of it.
      if (summariser) {
        making.catch(() => {});
        return { did: 'nothing' };
      }
      const draft = await making;
      return draft ? tell(draft) : { did: 'nothing' };
    },
    get preparing() {
      return making !== undefined;
    },
    async cancel() {
      abort.abort();
      await making?.catch(() => {});
      abort = new AbortController();
    },
    stopped: undefined,
    resume: leave.forgive,
  };
}

/** Where the newest draft was taken away by a person; 0 if it was not. */
async function discardedAt(session: Session): Promise<Seq> {
  const notes = await session.read({ only: 'notes', order: 'newest-first', limit: MOST_SOUGHT });
  const last = notes.findIndex(({ body }) => body.kind === 'document' && body.id === SUMMARY_DRAFT);
  const { body, seq } = notes[last] ?? {};
  if (body?.kind !== 'document' || body.content !== null) return 0;
  // The compaction that a draft became is written right behind the document's end.
  const next = notes[last - 1];
  return next?.body.kind === 'compaction' && next.seq === seq! + 1 ? 0 : seq!;
}
