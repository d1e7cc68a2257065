import { z } from 'zod';
import { EntryId } from './entry-id.ts';

/** One line of a summary and the entries it came from, so that "why did you write this?" has an answer. */
export const SummaryLine: z.ZodType<SummaryLine> = z.looseObject({
  text: z.string(),
  from: z.array(EntryId),
  reason: z.string().optional(),
  supersedes: z.string().optional(),
  stated: z.literal(true).optional(),
  pinned: z.literal(true).optional(),
});
export interface SummaryLine {
  text: string;
  from: EntryId[];
  /** Why it was decided or given up, if the line itself does not say so. */
  reason?: string | undefined;
  /** The earlier line that this one took the place of. */
  supersedes?: string | undefined;
  /** It stood in a message on a separate line, labelled as a decision, a to-do and the like: kept word for word. */
  stated?: true | undefined;
  /** A person pinned it: no merge and no cut for size leaves it out until a person unpins or drops it. */
  pinned?: true | undefined;
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
  goal: z.array(SummaryLine).optional(),
  state: z.array(SummaryLine).optional(),
  overview: z.string(),
  standing: z.array(SummaryLine).optional(),
  dropped: z.array(SummaryLine).optional(),
  topics: z.array(SummaryLine),
  decisions: z.array(SummaryLine),
  completed: z.array(SummaryLine),
  pending: z.array(SummaryLine),
  blockers: z.array(SummaryLine),
  facts: z.array(SummaryLine),
  files: z.array(SummaryFile),
  ledger: z.array(LedgerItem),
  foreign: z.string().optional(),
});
export interface Summary {
  /** One or two sentences on what came before, or "Initial session." */
  background: string;
  /** What this is for: the first request, then how it changed. */
  goal?: SummaryLine[] | undefined;
  /** Where the work stands at the end of the range, and the next step. */
  state?: SummaryLine[] | undefined;
  overview: string;
  /** Rules, prohibitions and preferences of the person, word for word, until taken back. */
  standing?: SummaryLine[] | undefined;
  /** Attempts that were given up. */
  dropped?: SummaryLine[] | undefined;
  topics: SummaryLine[];
  decisions: SummaryLine[];
  completed: SummaryLine[];
  pending: SummaryLine[];
  blockers: SummaryLine[];
  facts: SummaryLine[];
  files: SummaryFile[];
  ledger: LedgerItem[];
  /** What summaries by other programs' models said of what came before, word for word. */
  foreign?: string | undefined;
}

/** The lists of lines, in the order a reader needs them. Summaries of older versions lack some. */
export const SUMMARY_LISTS = [
  'goal',
  'state',
  'standing',
  'decisions',
  'pending',
  'blockers',
  'completed',
  'dropped',
  'facts',
  'topics',
] as const;
export type SummaryList = (typeof SUMMARY_LISTS)[number];

/** The summary with every list of lines put through `change`; a list that it does not have stays away. */
export function mapLines(
  summary: Summary,
  change: (lines: SummaryLine[], list: SummaryList) => SummaryLine[],
): Summary {
  const lists = SUMMARY_LISTS.flatMap((list) => {
    const lines = summary[list];
    return lines ? [[list, change(lines, list)] as const] : [];
  });
  return { ...summary, ...Object.fromEntries(lists) };
}

/** The pinned lines, and of the others those that `choose` leaves; in their order. */
export function besidePinned(
  lines: readonly SummaryLine[],
  choose: (loose: readonly SummaryLine[]) => readonly SummaryLine[],
): SummaryLine[] {
  const loose = lines.filter(({ pinned }) => !pinned);
  const kept = new Set(choose(loose));
  return lines.filter((line) => line.pinned || kept.has(line));
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
