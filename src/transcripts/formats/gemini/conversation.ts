import type { EntryId } from '../../../record/index.ts';
import { keepForeignFragment, keepForeignLine } from '../../foreign-lines.ts';
import { textOf, timeOf } from '../../source/fields.ts';
import { createRecordIds, type RecordIds } from '../../source/record-ids.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { Found, FoundBody, FoundSettings } from '../../transcript.ts';
import { GEMINI_FORMAT, toMessages } from './messages.ts';

/** The records of one conversation, whichever of the two layouts they stand in. */
interface GeminiConversation {
  readonly begun: boolean;
  start(header: Fields, fallback: string, found: Found[]): void;
  take(line: { record: Fields; text: string; mended?: true }, found: Found[]): void;
  /** A line without an author. `rewind` names the record that the conversation goes back to. */
  carry(line: { type: string; text: string; rewind?: unknown }, found: Found[]): void;
  fragment(text: string, found: Found[]): void;
  settle(found: Found[]): void;
}

/** A record is written again whenever its tool calls, results or counts change; the last version is the one. */
interface Open {
  readonly name: string;
  record: Fields;
  mended: boolean;
  readonly after: EntryId | null | undefined;
  readonly held: { type: string; text: string; record?: Fields }[];
}

export function createGeminiConversation(): GeminiConversation {
  let ids: RecordIds | undefined;
  let at = 0;
  let open: Open | undefined;
  let last: EntryId | null = null;
  let back: { after: EntryId | null } | undefined;
  /** What stood before each record, by its name. */
  const before = new Map<string, EntryId | null>();

  function give(id: EntryId, body: FoundBody, found: Found[], more: { after?: EntryId | null } = {}): void {
    last = id;
    found.push({ kind: 'entry', id, at, body, ...more });
  }

  function settle(found: Found[]): void {
    if (!open || !ids) return;
    const { name, record, after, held } = open;
    open = undefined;
    at = timeOf(record.timestamp) ?? at;
    const said = toMessages(record);
    const id = ids.named(name);
    const body = said?.message ?? keepForeignLine(GEMINI_FORMAT, record.type, JSON.stringify(record));
    if (!said) found.push({ kind: 'damage', what: 'misshapen' });
    give(id, body, found, after === undefined ? {} : { after });
    if (said?.results) give(ids.beside(id, 'results'), said.results, found);
    for (const { type, text, record: other } of held) giveOther(type, text, other, found);
  }

  function giveOther(type: string, text: string, record: Fields | undefined, found: Found[]): void {
    at = timeOf(record?.timestamp) ?? at;
    const known = record === undefined || KNOWN.has(type);
    // An unknown type may be a broken one, and the whole record of that name may follow.
    const name = known ? textOf(record?.id) : undefined;
    const id = name === undefined ? ids!.worded(text) : ids!.named(name);
    found.push({
      kind: 'entry',
      id,
      at,
      body: keepForeignLine(GEMINI_FORMAT, type, text),
      ...(!known && { unknown: true }),
    });
    last = id;
  }

  return {
    get begun() {
      return ids !== undefined;
    },
    start(header, fallback, found) {
      const key = textOf(header.sessionId) ?? fallback;
      const settings: FoundSettings = { agent: 'Gemini CLI' };
      const [folder] = Array.isArray(header.directories) ? header.directories : [];
      if (typeof folder === 'string') settings.project = folder;
      else if (typeof header.projectHash === 'string') settings.project = header.projectHash;
      const createdAt = timeOf(header.startTime);
      at = createdAt ?? 0;
      ids = createRecordIds(GEMINI_FORMAT, key);
      found.push({ kind: 'session', key, settings, ...(createdAt !== undefined && { createdAt }) });
    },
    take({ record, text, mended = false }, found) {
      const { type } = record;
      const name = textOf(record.id);
      const isSaid = name !== undefined && (type === 'user' || type === 'gemini');
      // A mended record does not replace a whole one.
      if (open && isSaid && name === open.name && (!mended || open.mended)) {
        open.record = record;
        open.mended = mended;
        return;
      }
      if (!isSaid || name === open?.name) {
        if (open) open.held.push({ type: String(type), text, record });
        else giveOther(String(type), text, record, found);
        return;
      }
      settle(found);
      // An older record, written again: what it said first stands, and this is kept beside it.
      if (before.has(name)) return giveOther(String(type), text, undefined, found);
      before.set(name, back ? back.after : last);
      open = { name, record, mended, after: back?.after, held: [] };
      back = undefined;
    },
    carry({ type, text, rewind }, found) {
      if (rewind !== undefined) {
        settle(found);
        giveOther(type, text, undefined, found);
        // The record it names goes too; an unknown one means all of them.
        back = { after: before.get(String(rewind)) ?? null };
        return;
      }
      if (open) open.held.push({ type, text });
      else giveOther(type, text, undefined, found);
    },
    fragment(text, found) {
      if (ids)
        found.push({
          kind: 'entry',
          id: ids.worded(text),
          at,
          body: keepForeignFragment(GEMINI_FORMAT, text),
        });
    },
    settle,
  };
}

const KNOWN = new Set(['info', 'warning', 'error']);
