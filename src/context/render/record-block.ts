import {
  besidePinned,
  type Compaction,
  type Entry,
  type EntryId,
  type Merge,
  type Restoration,
  type SeqRange,
  type Summary,
} from '../../record/index.ts';
import { renderSummary } from '../../summary/index.ts';
import { cutText } from '../fit/cut-text.ts';
import { type ContextPiece, countParts, isSameModel, notePiece } from '../piece.ts';
import { ANY_ID, labelRecord, nameRange } from './label-text.ts';
import { renderMessage } from './render-message.ts';

/** A summary in the context: of a compaction, of the session before, of a branch, or made for this request only. */
export interface Recorded {
  /** Of the entry that holds the summary, or of the newest entry it stands for. */
  readonly id: EntryId;
  readonly summary: Summary;
  readonly range?: SeqRange;
  /** The session before this one. */
  readonly parent?: string;
  /** The session whose conclusions were brought home. */
  readonly branch?: string;
}

interface Made {
  readonly recorded: Recorded;
  readonly piece: ContextPiece;
}

const cache = new WeakMap<Entry, Made>();

/** The record that a compaction, a restoration or a merge puts into the context; `undefined` for other entries. */
export function recordOf(entry: Entry): Made | undefined {
  const { body, id } = entry;
  if (body.kind !== 'compaction' && body.kind !== 'restoration' && body.kind !== 'merge') return undefined;
  let made = cache.get(entry);
  if (!made) {
    const recorded = { id, summary: shownOf(body), ...originOf(body) };
    made = { recorded, piece: recordPiece(recorded) };
    cache.set(entry, made);
  }
  return made;
}

/** What came before a range stands before its record, or was taken out since: it is not repeated from memory. */
function shownOf({ kind, summary }: Compaction | Restoration | Merge): Summary {
  return kind === 'compaction' ? { ...summary, background: '' } : summary;
}

function originOf(body: Compaction | Restoration | Merge): Pick<Recorded, 'range' | 'parent' | 'branch'> {
  if (body.kind === 'compaction') return { range: body.covers };
  return body.kind === 'merge' ? { branch: body.branch } : { parent: body.parent };
}

export function recordPiece(recorded: Recorded): ContextPiece {
  return framed(recorded, renderSummary(recorded.summary).toWellFormed());
}

/** The record in at most so many tokens; `undefined` if that is too little to say anything. */
export function shortRecordPiece(recorded: Recorded, maxTokens: number): ContextPiece | undefined {
  const inside = maxTokens - framed(recorded, '').tokens - 2;
  if (inside < 8) return undefined;
  const rendered = renderSummary(recorded.summary, { maxTokens: inside }).toWellFormed();
  const text = cutText(rendered, { maxTokens: inside, note: '[…]' });
  const piece = text === undefined ? undefined : framed(recorded, text);
  return piece && piece.tokens <= maxTokens ? piece : undefined;
}

/** What the agent answered when it was given the summary of the session before. */
export function acknowledgementPiece(entry: Entry, model: string | undefined): ContextPiece | undefined {
  const said = entry.body.kind === 'restoration' ? entry.body.acknowledgement : undefined;
  const texts = said?.parts.filter(({ type }) => type === 'text') ?? [];
  if (!said || texts.length === 0) return undefined;
  const body = { kind: 'message', role: 'assistant', parts: texts, model: said.model } as const;
  // A copy of the entry: the remembered value of the entry is its record.
  const { parts } = renderMessage({ ...entry }, body, isSameModel(said, model));
  if (parts.length === 0) return undefined;
  const tokens = countParts(parts);
  return { role: 'assistant', share: 'summary', parts, sources: parts.map(() => entry), tokens };
}

/** Several records as one, oldest first: lists one after the other, so that shortening loses the oldest lines first. */
export function mergeRecords(records: readonly Recorded[]): Recorded | undefined {
  const newest = records.at(-1);
  if (!newest || records.length === 1) return newest;
  const all = records.map(({ summary }) => summary);
  const ranges = records.flatMap(({ range }) => range ?? []);
  const parent = records.find((record) => record.parent !== undefined)?.parent;
  return {
    id: newest.id,
    ...(parent !== undefined && { parent }),
    ...(ranges.length > 0 && { range: recordSpanOf(ranges) }),
    summary: {
      background: all[0]!.background,
      overview: all.flatMap(({ overview }) => overview || []).join('\n'),
      ...Object.fromEntries(
        (['goal', 'state', 'standing', 'dropped'] as const).flatMap((list) => {
          const lines = all.flatMap((summary) => summary[list] ?? []);
          return lines.length > 0
            ? [[list, list === 'state' ? besidePinned(lines, (loose) => loose.slice(-1)) : lines]]
            : [];
        }),
      ),
      topics: all.flatMap(({ topics }) => topics),
      decisions: all.flatMap(({ decisions }) => decisions),
      completed: all.flatMap(({ completed }) => completed),
      pending: all.flatMap(({ pending }) => pending),
      blockers: all.flatMap(({ blockers }) => blockers),
      facts: all.flatMap(({ facts }) => facts),
      files: all.flatMap(({ files }) => files),
      ledger: all.flatMap(({ ledger }) => ledger),
    },
  };
}

export function recordSpanOf(ranges: readonly SeqRange[]): SeqRange {
  let { from, to } = ranges[0]!;
  for (const range of ranges) {
    from = Math.min(from, range.from);
    to = Math.max(to, range.to);
  }
  return { from, to };
}

function framed({ id, range, parent, branch }: Recorded, text: string): ContextPiece {
  const about = [
    ...(parent === undefined ? [] : [`the session before this one, ${parent}`]),
    ...(branch === undefined ? [] : [`the branch ${branch}, merged here`]),
    ...(range ? [nameRange(range)] : []),
  ];
  const of = about.join(' and ');
  return notePiece('summary', labelRecord(id, of, text), labelRecord(ANY_ID, of, text));
}
