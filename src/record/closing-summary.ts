import { z } from 'zod';
import type { EntryBody } from './entry-body.ts';
import { Summary } from './summary.ts';

/** The summary of a session as a document, written when the chat is left. It holds until something is said. */
export const CLOSING_SUMMARY = 'closing-summary';

const Content = z.looseObject({ summary: Summary, upTo: z.int().optional() });

interface ClosingSummary {
  readonly summary: Summary;
  /** The newest entry that it is about; without it, the one before it. */
  readonly upTo?: number | undefined;
}

/** The closing summary that an entry is, if it is one. */
export function closingSummaryIn(body: EntryBody): ClosingSummary | undefined {
  if (body.kind !== 'document' || body.id !== CLOSING_SUMMARY) return undefined;
  return Content.safeParse(body.content).data;
}
