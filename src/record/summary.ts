import { z } from 'zod';
import { EntryId } from './entry-id.ts';

/** One line of a summary and the entries it came from, so that "why did you write this?" has an answer. */
export const SummaryLine: z.ZodType<SummaryLine> = z.looseObject({
  text: z.string(),
  from: z.array(EntryId),
});
export interface SummaryLine {
  text: string;
  from: EntryId[];
}

export const SummaryFile: z.ZodType<SummaryFile> = z.looseObject({
  path: z.string(),
  operations: z.array(z.string()),
  from: z.array(EntryId).optional(),
});
export interface SummaryFile {
  path: string;
  operations: string[];
  from?: EntryId[] | undefined;
}

/** A hard fact taken from the range by rule, not by a model: a command, an error, a figure, a URL. */
export const LedgerItem: z.ZodType<LedgerItem> = z.looseObject({
  kind: z.string(),
  text: z.string(),
  entry: EntryId,
});
export interface LedgerItem {
  kind: string;
  text: string;
  entry: EntryId;
}

/** What a range of entries meant. Every face (markdown block, checkpoint, working set …) is a rendering of this. */
export const Summary: z.ZodType<Summary> = z.looseObject({
  background: z.string(),
  overview: z.string(),
  topics: z.array(SummaryLine),
  decisions: z.array(SummaryLine),
  completed: z.array(SummaryLine),
  pending: z.array(SummaryLine),
  blockers: z.array(SummaryLine),
  facts: z.array(SummaryLine),
  files: z.array(SummaryFile),
  ledger: z.array(LedgerItem),
});
export interface Summary {
  /** One or two sentences on what came before, or "Initial session." */
  background: string;
  overview: string;
  topics: SummaryLine[];
  decisions: SummaryLine[];
  completed: SummaryLine[];
  pending: SummaryLine[];
  blockers: SummaryLine[];
  facts: SummaryLine[];
  files: SummaryFile[];
  ledger: LedgerItem[];
}

export function emptySummary(overview = ''): Summary {
  return {
    background: 'Initial session.',
    overview,
    topics: [],
    decisions: [],
    completed: [],
    pending: [],
    blockers: [],
    facts: [],
    files: [],
    ledger: [],
  };
}
