import type { Message } from '../../../record/index.ts';
import { readWorkingSet, type WorkingSet } from '../../../summary/index.ts';
import { keepForeignLine } from '../../foreign-lines.ts';
import { fieldsOf, isFields, textOf, timeOf } from '../../source/fields.ts';
import { type JsonPiece, readJson } from '../../source/read-json.ts';
import { createRecordIds, type RecordIds } from '../../source/record-ids.ts';
import { type Fields, parseObject } from '../../source/recover-line.ts';
import type { Found, FoundSettings, Reader, TranscriptSource } from '../../transcript.ts';

export const ARMY_FORMAT = 'army';
/** How many of the newest messages are never summarised. */
export const KEPT = 20;

/** Reads `full.json`, the whole conversation, with the working set, the state and the metadata beside it. */
export const readArmy: Reader = async function* (source) {
  const beside = await readBeside(source);
  let session: { ids: RecordIds; at: number } | undefined;
  let count = 0;
  for await (const pieces of readJson(source, { lists: ['messages'] })) {
    yield pieces.flatMap((piece): Found[] => {
      if ('damage' in piece) return [{ kind: 'damage', what: piece.damage }];
      if (!session) {
        const begun: Found[] = [];
        session = start(source, beside, begun);
        return [...begun, ...take(piece, session)];
      }
      return take(piece, session);
    });
  }
  if (!session) return;
  const { ids, at } = session;
  yield [...workingSetOf(beside.working, { ids, at, count }), ...filesOf(beside, ids, at), { kind: 'quiet' }];

  function take(
    piece: Exclude<JsonPiece, { damage: unknown }>,
    { ids, at }: { ids: RecordIds; at: number },
  ): Found[] {
    if ('head' in piece) return [];
    if ('whole' in piece) return contextOf(piece.whole, ids, at);
    count = piece.n + 1;
    const message = readMessage(piece.item);
    const body = message ?? keepForeignLine(ARMY_FORMAT, 'message', piece.text, piece.n);
    const id = ids.nth(piece.n);
    return [
      ...(message ? [] : [{ kind: 'damage', what: 'misshapen' } as const]),
      { kind: 'entry', id, at, body },
    ];
  }
};

interface Beside {
  readonly working: string | undefined;
  readonly state: string | undefined;
  readonly metadata: string | undefined;
}

async function readBeside(source: TranscriptSource): Promise<Beside> {
  const [working, state, metadata] = await Promise.all(
    ['working.json', 'state.json', 'metadata.json'].map((name) => source.beside(name)),
  );
  return { working, state, metadata };
}

function start(
  source: TranscriptSource,
  { state, metadata }: Beside,
  found: Found[],
): { ids: RecordIds; at: number } {
  const facts = parseObject(metadata ?? '') ?? {};
  const createdAt = timeOf(parseObject(state ?? '')?.created_at) ?? timeOf(facts.created_at);
  const key = textOf(facts.session_id) || source.folder || source.name;
  const settings: FoundSettings = { agent: 'AIarmy' };
  found.push({ kind: 'session', key, settings, ...(createdAt !== undefined && { createdAt }) });
  return { ids: createRecordIds(ARMY_FORMAT, key), at: createdAt ?? source.changedAt };
}

const ROLES = new Set<unknown>(['system', 'user', 'assistant']);

function readMessage(item: unknown): Message | undefined {
  if (!isFields(item)) return undefined;
  const { role, content, ...rest } = item;
  if (!ROLES.has(role) || typeof content !== 'string') return undefined;
  const meta = Object.keys(rest).length > 0 ? { meta: { [ARMY_FORMAT]: rest } } : {};
  return {
    kind: 'message',
    role: role as Message['role'],
    parts: [{ type: 'text', text: content }],
    ...meta,
  };
}

/** The fields of the session besides its messages. */
function contextOf({ messages: _, ...rest }: Fields, ids: RecordIds, at: number): Found[] {
  if (Object.keys(rest).length === 0) return [];
  const body = {
    kind: 'document' as const,
    id: 'context',
    title: 'Context',
    content: rest,
    mediaType: 'application/json',
  };
  return [{ kind: 'entry', id: ids.worded(JSON.stringify(rest)), at, body }];
}

/** A working set that says something stands for all but the newest messages. */
function workingSetOf(
  text: string | undefined,
  { ids, at, count }: { ids: RecordIds; at: number; count: number },
): Found[] {
  if (text === undefined) return [];
  const set = parseObject(text);
  if (!set) return [{ kind: 'damage', what: 'torn' }];
  const summary = readWorkingSet(cleanSet(set));
  const says =
    summary.overview || summary.facts.length + summary.decisions.length + summary.pending.length > 0;
  const id = ids.worded(text);
  if (!says) return [{ kind: 'entry', id, at, body: keepForeignLine(ARMY_FORMAT, 'working.json', text) }];
  const keepFrom = count > KEPT ? ids.nth(count - KEPT) : ids.nth(0);
  const meta = { [ARMY_FORMAT]: { working: text } };
  const body = { kind: 'found-compaction' as const, text: summary.overview, summary, keepFrom, meta };
  return [{ kind: 'entry', id, at, body }];
}

function cleanSet(set: Fields): Partial<WorkingSet> {
  const texts = (list: unknown) =>
    Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
  return {
    summary: textOf(set.summary) ?? '',
    pinned_facts: texts(set.pinned_facts),
    decisions: texts(set.decisions),
    open_tasks: texts(set.open_tasks),
    files_touched: texts(set.files_touched),
  };
}

function filesOf({ state, metadata }: Beside, ids: RecordIds, at: number): Found[] {
  return Object.entries({ 'state.json': state, 'metadata.json': metadata }).flatMap(
    ([name, text]): Found[] =>
      text === undefined
        ? []
        : [{ kind: 'entry', id: ids.worded(text), at, body: keepForeignLine(ARMY_FORMAT, name, text) }],
  );
}

export function readSet(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return textOf(fieldsOf(meta?.[ARMY_FORMAT]).working);
}
