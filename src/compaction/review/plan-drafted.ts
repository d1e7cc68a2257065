import { standingInstructions } from '../../record/index.ts';
import { readConversation, type Session } from '../../session/index.ts';
import { closeOpened } from '../close-opened.ts';
import { type CompactionPlan, planOf, spanOf, touches } from '../plan-compaction.ts';
import { type StoredDraft, sourceOfLine } from './stored-draft.ts';

/**
 * The plan that a draft was made for, or `undefined` if the entries that it stands for are others now. Compactions of them
 * that were undone, before the draft was made or since, are replaced by it.
 */
export async function planDrafted(
  { store, info }: Session,
  { covers, source }: Pick<StoredDraft, 'covers' | 'source'>,
): Promise<CompactionPlan | undefined> {
  const { frontier } = await readConversation(store, info);
  const { opened, closed } = await closeOpened(store, info);
  const standing = new Set(standingInstructions(frontier));
  const chosen = frontier.filter((entry) => {
    const { from, to } = spanOf([entry]);
    return !standing.has(entry) && from >= covers.from && to <= covers.to;
  });
  const undone = opened.filter((root) => touches(root, covers));
  const isWithin = undone.every(({ from, to }) => from >= covers.from && to <= covers.to);
  if (chosen.length === 0 || !isWithin) return undefined;
  const plan = planOf(chosen, { frontier, state: closed });
  const replaced = undone.map(({ id }) => id);
  return sourceOfLine(plan.entries) === source ? { ...plan, covers, replaced } : undefined;
}
