import { isThroughlineError } from '../errors.ts';
import type { CompactionSettings, Entry } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { checkTrigger, type Load } from './read-policy.ts';

/**
 * True if a session that is this full would be compacted: its policy says so, and a compaction frees enough. `ahead` are
 * entries that would come first and are in no log yet.
 */
export async function wouldCompact(
  session: Session,
  { load, settings, ahead }: { load: Load; settings: CompactionSettings; ahead: readonly Entry[] },
): Promise<boolean> {
  if (checkTrigger(load, settings) !== 'hard') return false;
  // Loaded for a session that is full: most that are looked at are not.
  const { fitLoad, whyNoRoom } = await import('./fit-load.ts');
  if (whyNoRoom(load, settings, 0) !== undefined) return false;
  const { prepare } = await import('./compact-session.ts');
  try {
    await prepare(session, { settings }, { fit: fitLoad(load, settings), ahead });
    return true;
  } catch (error) {
    if (isThroughlineError(error, 'nothing-to-compact')) return false;
    throw error;
  }
}
