import { ThroughlineError } from '../../errors.ts';
import type { EntryId, Summary, SummaryLine } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { retryOnHeadMoved } from '../../store/index.ts';
import { findDraft } from './approve-draft.ts';
import { type DraftSection, isList, toDraftLine } from './draft-lines.ts';
import { buildDraftSummary, type Row, rowsOf } from './draft-rows.ts';
import { takenOut } from './dropped-lines.ts';
import { type LostItem, readDraft, type SummaryDraft } from './read-draft.ts';
import { draftDocument } from './stored-draft.ts';

/** One change to a draft, by the names that its lines and lost items have in that version. */
export type DraftChange =
  | { readonly do: 'drop' | 'pin' | 'unpin'; readonly line: string }
  /** In another section it is moved there. */
  | { readonly do: 'rewrite'; readonly line: string; readonly text: string; readonly section?: DraftSection }
  | { readonly do: 'add'; readonly section: DraftSection; readonly text: string; readonly pinned?: boolean }
  /** In new words if they are given, and in a list if one is named. */
  | {
      readonly do: 'rescue';
      readonly item: string;
      readonly text?: string;
      readonly section?: DraftSection;
      readonly pinned?: boolean;
    };

/** Writes a new version of the draft. `draft` is the version whose names are meant: another one is refused as stale. */
export async function changeDraft(
  session: Session,
  { draft, changes }: { readonly draft: EntryId; readonly changes: readonly DraftChange[] },
): Promise<SummaryDraft> {
  await retryOnHeadMoved(async () => {
    const stored = await findDraft(session, draft);
    const { lost } = (await readDraft(session))!;
    const summary = applyChanges(stored.summary, changes, lost);
    const dropped = [...(stored.dropped ?? []), ...takenOut(stored.summary, summary)];
    await session.append([draftDocument({ ...stored, summary, dropped })], {
      expectedHead: session.info.head,
    });
  });
  return (await readDraft(session))!;
}

/** The summary with the changes; a name that it does not have is an error. */
export function applyChanges(
  summary: Summary,
  changes: readonly DraftChange[],
  lost: readonly Pick<LostItem, 'name' | 'kind' | 'text' | 'from'>[] = [],
): Summary {
  let rows: readonly Row[] = rowsOf(summary);
  const find = (name: string): Row => {
    const row = rows.find((one) => one.name === name);
    if (row) return row;
    throw usage(`The draft has no line "${name}": ${sayNames(rows, 'line')}.`, name);
  };
  const swap = (row: Row, by: Row) => {
    rows = rows.map((one) => (one === row ? by : one));
  };
  for (const change of changes) {
    switch (change.do) {
      case 'drop': {
        const row = find(change.line);
        rows = rows.filter((one) => one !== row);
        break;
      }
      case 'pin':
        swap(find(change.line), pinnedRow(find(change.line)));
        break;
      case 'unpin': {
        const row = find(change.line);
        if (row.pinned) swap(row, unpinned(row));
        break;
      }
      case 'rewrite': {
        const row = find(change.line);
        swap(row, rewritten(row, change));
        break;
      }
      case 'add':
        rows = [...rows, added(change)];
        break;
      case 'rescue':
        rows = [...rows, rescued(lost, change)];
    }
  }
  return buildDraftSummary(summary, rows);
}

function fresh({ was: _, ...row }: Row, changes: Partial<Row>): Row {
  return { ...row, ...changes };
}

/** Only lines of lists are carried through merges, so a file or an item of the ledger becomes a fact. */
function pinnedRow(row: Row): Row {
  const { section, was } = row;
  if (section === 'files' || section === 'ledger') return fresh(row, { section: 'facts', pinned: true });
  if (!isList(section)) throw usage(`The ${section} cannot be pinned: pin lines of the lists.`, row.name);
  return { ...row, ...(was !== undefined && { was: { ...was, pinned: true } }), pinned: true };
}

function unpinned(row: Row): Row {
  const { pinned: _, ...was } = (row.was ?? toDraftLine(row)) as SummaryLine;
  return { ...row, was, pinned: false };
}

function rewritten(row: Row, { text, section = row.section }: { text: string; section?: DraftSection }): Row {
  if (row.section === 'foreign')
    throw usage('What another program wrote can be dropped, not rewritten.', row.name);
  refuseEmpty(text, row.name);
  if (section === row.section) return text.trim() === row.text ? row : fresh(row, { text: text.trim() });
  if (!isList(section)) throw usage(`A line can be moved to a list, and ${section} is none.`, row.name);
  if (!isList(row.section) && row.section !== 'files' && row.section !== 'ledger')
    throw usage(`The ${row.section} is no line of a list, and cannot be moved into one.`, row.name);
  return fresh(row, { section, text: text.trim() });
}

/** A line without a list is a fact. */
function added({ section, text, pinned = false }: Extract<DraftChange, { do: 'add' }>): Row {
  refuseEmpty(text);
  const to = section === 'ledger' || section === 'foreign' ? 'facts' : section;
  const row: Row = { section: to, text: text.trim(), pinned: false, from: [] };
  return pinned ? pinnedRow(row) : row;
}

function rescued(
  lost: readonly Pick<LostItem, 'name' | 'kind' | 'text' | 'from'>[],
  { item: name, text, section, pinned = false }: Extract<DraftChange, { do: 'rescue' }>,
): Row {
  const item = lost.find((one) => one.name === name);
  if (!item) throw usage(`The draft has no lost item "${name}": ${sayNames(lost, 'item')}.`, name);
  const from = item.from.map(({ entry }) => entry);
  const found = text ?? `${item.kind}: ${item.text}`;
  refuseEmpty(found, name);
  const to = section !== undefined && isList(section) ? section : text === undefined ? 'ledger' : 'facts';
  const row: Row = { section: to, text: found.trim(), pinned: false, from };
  return pinned ? pinnedRow(row) : row;
}

function refuseEmpty(text: string, name?: string): void {
  if (text.trim() === '') throw usage('A line needs words: drop it instead.', name);
}

function sayNames(named: readonly { readonly name?: string }[], what: string): string {
  const names = named.flatMap(({ name }) => name ?? []);
  return names.length === 0 ? `it has no ${what}` : `its ${what}s are ${names[0]} to ${names.at(-1)}`;
}

function usage(message: string, name?: string): ThroughlineError {
  return new ThroughlineError('usage', message, { details: name === undefined ? {} : { name } });
}
