import type { Message } from '../../../record/index.ts';
import { keepForeignLine } from '../../foreign-lines.ts';
import { fieldsOf, textOf, timeOf } from '../../source/fields.ts';
import { readJson } from '../../source/read-json.ts';
import { createRecordIds, type RecordIds } from '../../source/record-ids.ts';
import { type Fields, parseObject } from '../../source/recover-line.ts';
import type { Found, FoundSettings, Reader, TranscriptSource } from '../../transcript.ts';
import { readOldEntry, sessionOfOldFile } from './old-entries.ts';
import { readDagentCheckpoint } from './read-checkpoint.ts';

export const DAGENT_FORMAT = 'dagent';

/** Reads the chat of a session with the three files beside it, and the two layouts that came before. */
export const readDagent: Reader = async function* (source) {
  let session: { ids: RecordIds; old: boolean } | undefined;
  let head: Fields = {};
  let at = source.changedAt;
  for await (const pieces of readJson(source, { lists: ['messages', 'entries'] })) {
    const found: Found[] = [];
    for (const piece of pieces) {
      if ('damage' in piece) found.push({ kind: 'damage', what: piece.damage });
      else if ('whole' in piece) {
        session ??= await start(piece.whole, undefined, source, found);
        carryRest(piece.whole, session, at, found);
      } else if ('head' in piece) {
        ({ head } = piece);
        if (typeof head.sessionId === 'string') session = await start(head, undefined, source, found);
      } else {
        session ??= await start(head, piece.item, source, found);
        const { ids, old } = session;
        const message = old ? readOldEntry(piece.item) : readMessage(piece.item);
        at = timeOf(fieldsOf(piece.item).timestamp) ?? at;
        const name = old ? undefined : textOf(fieldsOf(piece.item).id);
        const id = name === undefined ? ids.nth(piece.n) : ids.named(name);
        if (!message) found.push({ kind: 'damage', what: 'misshapen' });
        const body = message ?? keepForeignLine(DAGENT_FORMAT, 'entry', piece.text, piece.n);
        found.push({ kind: 'entry', id, at, body });
      }
    }
    yield found;
  }
  yield [{ kind: 'quiet' }];
};

async function start(
  head: Fields,
  first: unknown,
  source: TranscriptSource,
  found: Found[],
): Promise<{ ids: RecordIds; old: boolean }> {
  const id = textOf(head.sessionId);
  if (id === undefined) {
    const { key, settings, createdAt } = sessionOfOldFile(head, first, source.home);
    found.push({ kind: 'session', key, settings, ...(createdAt !== undefined && { createdAt }) });
    return { ids: createRecordIds(DAGENT_FORMAT, key), old: true };
  }
  const beside = async (kind: string) => parseObject((await source.beside(`${kind}_${id}.json`)) ?? '');
  const [description, context, checkpoint] = await Promise.all(
    ['agent-description', 'context', 'checkpoint'].map(beside),
  );
  const createdAt = timeOf(description?.createdAt) ?? timeOf(checkpoint?.createdAt);
  const settings: FoundSettings = { agent: textOf(description?.agentType) ?? 'dagent' };
  for (const name of ['featureId', 'taskId'] as const) {
    const value = textOf(context?.[name]);
    if (value) settings[name] = value;
  }
  found.push({
    kind: 'session',
    key: id,
    settings,
    window: true,
    ...(createdAt !== undefined && { createdAt }),
  });
  const ids = createRecordIds(DAGENT_FORMAT, id);
  const at = createdAt ?? source.changedAt;
  const documents = [
    ['agent-description', 'Agent description', description],
    ['context', 'Context', context],
  ] as const;
  for (const [name, title, content] of documents) {
    if (!content) continue;
    const body = { kind: 'document' as const, id: name, title, content, mediaType: 'application/json' };
    found.push({ kind: 'entry', id: ids.named(`${name} ${JSON.stringify(content)}`), at, body });
  }
  if (checkpoint) giveCheckpoint(checkpoint, ids, found);
  return { ids, old: false };
}

/** Everything before the messages of the file is in the checkpoint. */
function giveCheckpoint(checkpoint: Fields, ids: RecordIds, found: Found[]): void {
  const at = timeOf(checkpoint.updatedAt) ?? 0;
  const { loop, compaction, misshapen } = readDagentCheckpoint(checkpoint);
  if (loop) found.push({ kind: 'entry', id: ids.named(`loop ${JSON.stringify(loop)}`), at, body: loop });
  if (misshapen) found.push({ kind: 'damage', what: 'misshapen' });
  if (compaction)
    found.push({
      kind: 'entry',
      id: ids.named(`checkpoint ${JSON.stringify(checkpoint)}`),
      at,
      body: { ...compaction, meta: { [DAGENT_FORMAT]: checkpoint } },
    });
}

function readMessage(item: unknown): Message | undefined {
  const { role, content, ...rest } = fieldsOf(item);
  if ((role !== 'user' && role !== 'assistant' && role !== 'system') || typeof content !== 'string')
    return undefined;
  return { kind: 'message', role, parts: [{ type: 'text', text: content }], meta: { [DAGENT_FORMAT]: rest } };
}

/** Fields of the file that have no place in a session are kept; those that follow from the messages are not. */
function carryRest(
  whole: Fields,
  { ids, old }: { ids: RecordIds; old: boolean },
  at: number,
  found: Found[],
): void {
  const { sessionId: _, messages, metadata, entries, ...rest } = whole;
  // The items of a list were given one by one; anything else in its place is no list of messages.
  const misshapen = Object.entries({ messages, entries }).filter(
    ([, list]) => list !== undefined && !Array.isArray(list),
  );
  for (const _list of misshapen) found.push({ kind: 'damage', what: 'misshapen' });
  const kept = {
    ...rest,
    ...(old && metadata !== undefined && { metadata }),
    ...Object.fromEntries(misshapen),
  };
  if (Object.keys(kept).length === 0) return;
  const text = JSON.stringify(kept);
  found.push({
    kind: 'entry',
    id: ids.worded(text),
    at,
    body: keepForeignLine(DAGENT_FORMAT, 'fields', text),
    unknown: true,
  });
}
