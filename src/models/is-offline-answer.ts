import type { EntryBody } from '../record/index.ts';

/** Whether the offline model said it: an offline answer only repeats others, and is no source of anything. */
export function isOfflineAnswer(body: EntryBody): boolean {
  return body.kind === 'message' && body.model?.startsWith('offline:') === true;
}
