import { isThroughlineError } from '../errors.ts';
import type { CompactionSettings, Entry } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { prepare } from './compact-session.ts';
import { fitLoad, whyNoRoom } from './fit-load.ts';
import { checkTrigger, type Load } from './read-policy.ts';

/**
 * True if a session that is this full would be compacted: its policy says so, and a compaction frees enough. `ahead` are
 * entries that would come first and are in no log yet.
 */
export async function wouldCompact(
  session: Session,
  { load, settings, ahead }: { load: Load; settings: CompactionSettings; ahead: readonly Entry[] },
): Promise<boolean> {
  if (checkTrigger(load, settings) !== 'hard' || whyNoRoom(load, settings, 0) !== undefined) return false;
  try {
    await prepare(session, { settings }, { fit: fitLoad(load, settings), ahead });
    return true;
  } catch (error) {
    if (isThroughlineError(error, 'nothing-to-compact')) return false;
    throw error;
  }
}
