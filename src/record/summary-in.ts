import type { EntryBody } from './entry-body.ts';
import type { Summary } from './summary.ts';

/** The summary that an entry brings into the conversation, if it is one that does. */
export function summaryIn(body: EntryBody): Summary | undefined {
  return body.kind === 'compaction' || body.kind === 'restoration' || body.kind === 'merge'
    ? body.summary
    : undefined;
}
