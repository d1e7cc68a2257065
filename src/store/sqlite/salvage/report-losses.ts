import type { Found } from './find-rows.ts';
import type { LossList } from './loss-list.ts';
import type { DamagedBySession, SessionPlan } from './plan-sessions.ts';
import type { Directory } from './read-directory.ts';

const PAGES_NAMED = 20;

/** Names losses besides the entries that a placeholder stands for. */
export function reportLosses(
  losses: LossList,
  {
    found,
    plans,
    damaged,
    directory,
  }: { found: Found; plans: readonly SessionPlan[]; damaged: DamagedBySession; directory: Directory },
): void {
  const keys = new Set(plans.map(({ key }) => key));
  const ids = new Set(plans.map(({ id }) => id));
  for (const id of directory.names.values()) {
    if (!ids.has(id)) losses.add({ session: id, reason: 'nothing of it was found but its name' });
  }
  for (const [key, entries] of damaged) {
    if (keys.has(key)) continue;
    for (const [seq, reason] of entries) losses.add({ seq, reason: `${reason}; its session is not known` });
  }
  for (const hash of found.damagedBlobs) {
    losses.add({ reason: `blob ${hash} is damaged: its bytes do not match its hash` });
  }
  const { pages } = found.lost;
  if (pages.length === 0) return;
  const named = pages.slice(0, PAGES_NAMED).join(', ') + (pages.length > PAGES_NAMED ? ', …' : '');
  const which = pages.length === 1 ? `page ${named}` : `${pages.length} pages of the file (${named})`;
  losses.add({ reason: `not all of ${which} could be read` });
}
