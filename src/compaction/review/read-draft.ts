import type { Author, EntryId, Seq, SeqRange, Summary } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { renderSummary } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';
import { partForeign, saidEntries } from '../foreign-summaries.ts';
import type { CompactionPlan } from '../plan-compaction.ts';
import type { HardItem } from '../retention/hard-items.ts';
import { measureRetention } from '../retention/measure-retention.ts';
import type { RangeFailure } from '../summarise-range.ts';
import { type NamedLine, namedLines } from './draft-lines.ts';
import { planDrafted } from './plan-drafted.ts';
import { readStoredDraft, type StoredDraft } from './stored-draft.ts';

/** Where a line comes from. Without a number the entry is not in the session's log: the file of an import named it. */
export interface LineSource {
  readonly entry: EntryId;
  readonly seq?: Seq | undefined;
}

export interface DraftLine extends Omit<NamedLine, 'from'> {
  readonly from: readonly LineSource[];
}

/** A name, path or figure of the entries that no line of the draft has. */
export interface LostItem extends Pick<HardItem, 'kind' | 'text'> {
  readonly name: string;
  readonly from: readonly LineSource[];
}

/** A summary that waits to be looked at. Nothing in a context is made from it until it is approved. */
export interface SummaryDraft {
  /** Of this version: the names of lines mean something in it alone. */
  readonly id: EntryId;
  readonly at: number;
  /** True if the entries that it stands for have changed: it cannot be approved any more. */
  readonly isStale: boolean;
  readonly covers: SeqRange;
  readonly messages: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly retention: number;
  readonly by: Author;
  readonly failures: readonly RangeFailure[];
  readonly instructions?: string;
  readonly lines: readonly DraftLine[];
  /** Those mentioned most often first, as far as there is a use in reading them. */
  readonly lost: readonly LostItem[];
  readonly summary: Summary;
}

const MOST_LOST = 60;

/** The draft of a session, as it would be approved; `undefined` if there is none. */
export async function readDraft(session: Session): Promise<SummaryDraft | undefined> {
  await session.refresh();
  const stored = await readStoredDraft(session);
  return stored && describeDraft(session, stored, await planDrafted(session, stored));
}

async function describeDraft(
  session: Session,
  stored: StoredDraft,
  plan: CompactionPlan | undefined,
): Promise<SummaryDraft> {
  const { id, at, covers, messages, tokensBefore, by, failures, instructions, summary } = stored;
  const { score, missing } = measureDraft(plan, summary);
  const lines = namedLines(summary);
  const lost = missing.slice(0, MOST_LOST);
  const seqs = await seqsOf(session, plan, [
    ...lines.flatMap(({ from }) => from),
    ...lost.map((one) => one.entry),
  ]);
  const source = (entry: EntryId): LineSource => {
    const seq = seqs.get(entry);
    return { entry, ...(seq !== undefined && { seq }) };
  };
  return {
    id,
    at,
    isStale: plan === undefined,
    covers,
    messages,
    tokensBefore,
    tokensAfter: tokensOfDraft(summary),
    retention: score,
    by,
    failures: failures as readonly RangeFailure[],
    ...(instructions !== undefined && { instructions }),
    lines: lines.map((line) => ({ ...line, from: line.from.map(source) })),
    lost: lost.map(({ kind, text, entry }, index) => ({
      name: `lost-${index + 1}`,
      kind,
      text,
      from: [source(entry)],
    })),
    summary,
  };
}

/** What a summary takes of a request. */
export function tokensOfDraft(summary: Summary): number {
  return countText(renderSummary(summary));
}

/** As the summary was measured when it was written. Of entries that have changed nothing is known. */
export function measureDraft(plan: CompactionPlan | undefined, summary: Summary) {
  const entries = plan ? partForeign(saidEntries(plan.entries)).entries : [];
  return measureRetention(entries, summary);
}

async function seqsOf(
  { store, id }: Session,
  plan: CompactionPlan | undefined,
  ids: readonly EntryId[],
): Promise<ReadonlyMap<EntryId, Seq>> {
  const seqs = new Map((plan?.entries ?? []).map((entry) => [entry.id, entry.seq]));
  for (const each of new Set(ids)) {
    if (seqs.has(each)) continue;
    const entry = await store.entry(id, each);
    if (entry) seqs.set(each, entry.seq);
  }
  return seqs;
}
