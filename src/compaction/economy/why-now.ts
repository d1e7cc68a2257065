import type { CompactionReason, CompactionSettings } from '../../record/index.ts';
import { type Load, triggerOf } from '../read-policy.ts';
import { sizesAt } from './choose-trigger.ts';
import { foretell } from './foretell.ts';

/** Why a context is shortened now: which trigger was reached, and what a turn costs before and behind it. */
export function whyNow(load: Load, settings: CompactionSettings): CompactionReason {
  const { because, tokens: trigger } = triggerOf(load, settings);
  const { tokens: context, fixed = 0, money } = load;
  const reached = { because, context, trigger };
  if (!money) return reached;
  const sizes = sizesAt(context, { fixed, keep: settings.keep }, money.pace);
  const { turn, writers } = foretell(money, sizes, [{ by: 'model', at: money.writer }]);
  const { cost, pays } = writers[0]!;
  return { ...reached, turn, cost, ...(pays !== undefined && { pays }) };
}
