import { standingInstructions } from '../../record/index.ts';
import { livingRoots, readConversation, type Session } from '../../session/index.ts';
import { withoutReplaced } from '../commit-compaction.ts';
import { type CompactionPlan, planOf, spanOf } from '../plan-compaction.ts';
import { type StoredDraft, sourceOf } from './stored-draft.ts';

/** The plan that a draft was made for, or `undefined` if the entries that it stands for are others now. */
export async function planDrafted(
  { store, info }: Session,
  { covers, replaced, source }: Pick<StoredDraft, 'covers' | 'replaced' | 'source'>,
): Promise<CompactionPlan | undefined> {
  const { frontier } = await readConversation(store, info);
  const closed = withoutReplaced(info.state, replaced);
  const state = { ...closed, roots: await livingRoots(store, { id: info.id, state: closed }) };
  const standing = new Set(standingInstructions(frontier));
  const chosen = frontier.filter((entry) => {
    const { from, to } = spanOf([entry]);
    return !standing.has(entry) && from >= covers.from && to <= covers.to;
  });
  if (chosen.length === 0) return undefined;
  const plan = planOf(chosen, { frontier, state });
  return sourceOf(plan.entries) === source ? { ...plan, covers, replaced } : undefined;
}
