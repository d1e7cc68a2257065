import { z } from 'zod';
import type { EntryBody } from './entry-body.ts';
import { Summary } from './summary.ts';

/** The document that says what a session came to, written when somebody leaves it. It holds until something is said. */
export const CLOSING_SUMMARY = 'closing-summary';

const Content = z.looseObject({ summary: Summary, upTo: z.int().optional() });

export interface ClosingSummary {
  readonly summary: Summary;
  /** The newest entry that it is about; without it, the one before it. */
  readonly upTo?: number | undefined;
}

/** The closing summary that an entry is, if it is one. */
export function closingSummaryIn(body: EntryBody): ClosingSummary | undefined {
  if (body.kind !== 'document' || body.id !== CLOSING_SUMMARY) return undefined;
  return Content.safeParse(body.content).data;
}
