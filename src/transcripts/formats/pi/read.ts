import { type EntryId, settingEntry } from '../../../record/index.ts';
import { keepForeignFragment, keepForeignLine } from '../../foreign-lines.ts';
import { type Converter, lineReader } from '../../source/convert-lines.ts';
import { countOf, textOf, timeOf } from '../../source/fields.ts';
import type { RecordItem } from '../../source/read-records.ts';
import { createRecordIds, type RecordIds } from '../../source/record-ids.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { Found, FoundBody, FoundCompaction, FoundSettings } from '../../transcript.ts';
import { PI_FORMAT } from './blocks.ts';
import { readPiUsage, toPiMessage } from './messages.ts';

/** Records that are no part of the conversation and are known to be none. */
const SILENT = new Set([
  'session',
  'model_change',
  'thinking_level_change',
  'usage',
  'custom',
  'label',
  'session_info',
  'context_edit',
]);

export const readPi = lineReader(isPiRecord, createConverter);

function isPiRecord({ type, timestamp, message, summary, id }: Fields): boolean {
  if (typeof type !== 'string' || typeof timestamp !== 'string') return false;
  if (type === 'message') return typeof message === 'object';
  return type === 'session' || typeof id === 'string' || typeof summary === 'string' || SILENT.has(type);
}

function createConverter(): Converter {
  let ids: RecordIds | undefined;
  /** Records have names from the second version on. */
  let named = false;
  let at = 0;
  /** Fragments before the first record. */
  let early: string[] = [];

  function start(record: Fields, text: string, found: Found[]): RecordIds {
    const header = record.type === 'session' ? record : {};
    // A file that has lost its header is known by its first record.
    const key = textOf(header.id) ?? `headless-${textOf(record.id) ?? text.slice(0, 200)}`;
    const settings: FoundSettings = { agent: 'pi' };
    if (typeof header.cwd === 'string' && header.cwd) settings.project = header.cwd;
    if (typeof header.modelId === 'string') settings.model = `${String(header.provider)}:${header.modelId}`;
    named = typeof header.version === 'number' ? header.version > 1 : 'parentId' in record;
    const createdAt = timeOf(record.timestamp);
    at = createdAt ?? 0;
    found.push({ kind: 'session', key, settings, ...(createdAt !== undefined && { createdAt }) });
    const made = createRecordIds(PI_FORMAT, key);
    for (const fragment of early) {
      found.push({
        kind: 'entry',
        id: made.worded(fragment),
        at,
        body: keepForeignFragment(PI_FORMAT, fragment),
      });
    }
    early = [];
    return made;
  }

  return {
    record({ value, text, n }, found) {
      ids ??= start(value, text, found);
      at = timeOf(value.timestamp) ?? at;
      take({ value, text, n }, { ids, named, at, found });
    },
    fragment({ fragment }, found) {
      if (!ids) early.push(fragment);
      else
        found.push({
          kind: 'entry',
          id: ids.worded(fragment),
          at,
          body: keepForeignFragment(PI_FORMAT, fragment),
        });
    },
    settle: () => {},
  };
}

function take(
  { value, text, n }: RecordItem,
  { ids, named, at, found }: { ids: RecordIds; named: boolean; at: number; found: Found[] },
): void {
  const { type } = value;
  const name = type === 'session' ? undefined : textOf(value.id);
  const body = bodyOf(value, ids);
  const id = name !== undefined ? ids.named(name) : named && !body ? ids.worded(text) : ids.nth(n);
  const after = followed(value, ids);
  const place = { at, ...(after !== undefined && { after }) };
  const known = typeof type === 'string' && SILENT.has(type);
  if (body) found.push({ kind: 'entry', id, ...place, body });
  else {
    const carried = keepForeignLine(PI_FORMAT, type, text);
    const misshapen = type === 'message' || type === 'compaction';
    if (misshapen) found.push({ kind: 'damage', what: 'misshapen' });
    found.push({
      kind: 'entry',
      id,
      ...place,
      body: carried,
      ...(!known && !misshapen && { unknown: true }),
    });
  }
  const said = known ? settingOf(value, ids) : undefined;
  if (said) found.push({ kind: 'entry', id: ids.beside(id, 'says'), at, body: said, aside: true });
}

/** Versions before the second have no names and are one line. */
function followed({ parentId }: Fields, ids: RecordIds): EntryId | null | undefined {
  if (parentId === null) return null;
  return typeof parentId === 'string' ? ids.named(parentId) : undefined;
}

function bodyOf(record: Fields, ids: RecordIds): FoundBody | undefined {
  return record.type === 'compaction' ? compactionOf(record, ids) : messageOf(record);
}

function messageOf(record: Fields): FoundBody | undefined {
  const { type } = record;
  return type === 'message' || type === 'custom_message' || type === 'branch_summary'
    ? toPiMessage(record)
    : undefined;
}

function compactionOf(record: Fields, ids: RecordIds): FoundCompaction | undefined {
  const { summary, firstKeptEntryId, firstKeptEntryIndex, tokensBefore, usage } = record;
  if (typeof summary !== 'string') return undefined;
  const keepFrom =
    typeof firstKeptEntryId === 'string'
      ? ids.named(firstKeptEntryId)
      : typeof firstKeptEntryIndex === 'number'
        ? ids.nth(firstKeptEntryIndex)
        : undefined;
  const before = countOf(tokensBefore);
  const used = readPiUsage(usage);
  return {
    kind: 'found-compaction',
    text: summary,
    ...(keepFrom !== undefined && { keepFrom }),
    ...(before !== undefined && { tokensBefore: before }),
    ...(used && { usage: used }),
    meta: { [PI_FORMAT]: { ...record, summary: 'text' } },
  };
}

/** The effect of a record without an author on the session. */
function settingOf(record: Fields, ids: RecordIds): FoundBody | undefined {
  const { type, provider, modelId, name, targetId, replacement } = record;
  if (type === 'model_change' && typeof modelId === 'string')
    return settingEntry('model', `${String(provider)}:${modelId}`, { by: 'user' }).body;
  if (type === 'session_info' && typeof name === 'string')
    return settingEntry('title', name, { by: 'user' }).body;
  if (type === 'context_edit' && typeof targetId === 'string' && replacement === null)
    return { kind: 'mark', target: { entry: ids.named(targetId) }, mark: 'excluded' };
  return undefined;
}
