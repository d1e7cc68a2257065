import type { EntryId, Message, Part } from '../../../record/index.ts';
import { keepForeignLine } from '../../foreign-lines.ts';
import { countOf, fieldsOf, isFields, readTranscriptUsage, textOf, timeOf } from '../../source/fields.ts';
import { readJson } from '../../source/read-json.ts';
import { createRecordIds, type RecordIds } from '../../source/record-ids.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { Found, FoundCompaction, FoundSettings, Reader } from '../../transcript.ts';

/** Reads what `opencode export` prints: a session and its messages, each with its parts. */
export const readOpencode: Reader = async function* (source) {
  let ids: RecordIds | undefined;
  for await (const pieces of readJson(source, { lists: ['messages'] })) {
    const found: Found[] = [];
    for (const piece of pieces) {
      if ('damage' in piece) found.push({ kind: 'damage', what: piece.damage });
      else if ('head' in piece || 'whole' in piece) {
        const { info } = 'head' in piece ? piece.head : piece.whole;
        if (!ids && isFields(info)) ids = start(info, found);
      } else if (ids) take(piece.item, { ids, text: piece.text, n: piece.n, found });
    }
    yield found;
  }
  yield [{ kind: 'quiet' }];
};

function start(info: Fields, found: Found[]): RecordIds {
  const key = textOf(info.id) ?? 'headless';
  const settings: FoundSettings = { agent: 'opencode' };
  if (typeof info.directory === 'string') settings.project = info.directory;
  if (typeof info.title === 'string') settings.title = info.title;
  const parent = textOf(info.parentID);
  if (parent) settings.subAgentOf = parent;
  const createdAt = timeOf(fieldsOf(info.time).created);
  found.push({
    kind: 'session',
    key,
    settings,
    ...(createdAt !== undefined && { createdAt }),
    ...(parent && { tags: ['sub-agent'] }),
  });
  return createRecordIds(FORMAT, key);
}

function take(
  item: unknown,
  { ids, text, n, found }: { ids: RecordIds; text: string; n: number; found: Found[] },
): void {
  const { info, parts } = fieldsOf(item);
  const { role, id: name, time, summary } = fieldsOf(info);
  const id: EntryId = typeof name === 'string' ? ids.named(name) : ids.nth(n);
  const at = timeOf(fieldsOf(time).created) ?? 0;
  const list = (Array.isArray(parts) ? parts : []).filter(isFields);
  const give = (entryId: EntryId, body: Message | FoundCompaction | ReturnType<typeof keepForeignLine>) =>
    found.push({ kind: 'entry', id: entryId, at, body });
  if (!isFields(info) || (role !== 'user' && role !== 'assistant')) {
    found.push({ kind: 'damage', what: 'misshapen' });
    return void give(id, keepForeignLine(FORMAT, 'message', text));
  }
  if (role === 'user') {
    // The wish to compact stands where a question would; the answer to it is the summary.
    const asks = list.length > 0 && list.every(({ type }) => type === 'compaction');
    const body: Message = { kind: 'message', role, parts: list.map(userPart), meta: { [FORMAT]: info } };
    return void give(id, asks ? keepForeignLine(FORMAT, 'compaction', text) : body);
  }
  if (summary === true) return void give(id, compactionOf(info, list));
  give(id, answerOf(info, list));
  const results = resultParts(list);
  if (results.length > 0) give(ids.beside(id, 'results'), { kind: 'message', role: 'tool', parts: results });
}

function userPart(part: Fields): Part {
  if (part.type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text };
  if (part.type === 'file' && typeof part.url === 'string') {
    const mediaType = textOf(part.mime) ?? 'application/octet-stream';
    const name = typeof part.filename === 'string' ? { filename: part.filename } : {};
    return { type: 'file', mediaType, data: { type: 'url', url: part.url }, ...name };
  }
  return otherPart(part);
}

function answerOf(info: Fields, list: readonly Fields[]): Message {
  const { providerID, modelID, error, time } = info;
  const { created, completed } = fieldsOf(time);
  const usage = readUsage(info);
  const took = typeof created === 'number' && typeof completed === 'number' ? completed - created : undefined;
  return {
    kind: 'message',
    role: 'assistant',
    parts: answerParts(list),
    ...(error !== undefined && { status: 'interrupted' }),
    ...(typeof modelID === 'string' && { model: `${String(providerID)}:${modelID}` }),
    ...(usage && { usage }),
    ...(took !== undefined && took >= 0 && { durationMs: took }),
    meta: { [FORMAT]: info },
  };
}

/** Their input is the uncached part; thoughts are counted beside the output. */
function readUsage({ tokens, cost }: Fields): Message['usage'] {
  const { input, output, reasoning, cache } = fieldsOf(tokens);
  const { read, write } = fieldsOf(cache);
  const cached = (countOf(read) ?? 0) + (countOf(write) ?? 0);
  return readTranscriptUsage({
    inputTokens: (countOf(input) ?? 0) + cached,
    outputTokens: (countOf(output) ?? 0) + (countOf(reasoning) ?? 0),
    reasoningTokens: reasoning,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    cost,
  });
}

function compactionOf(info: Fields, list: readonly Fields[]): FoundCompaction {
  const text = list.flatMap((part) => (part.type === 'text' ? (textOf(part.text) ?? []) : [])).join('\n');
  const usage = readUsage(info);
  return {
    kind: 'found-compaction',
    text,
    ...(typeof info.modelID === 'string' && { model: `${String(info.providerID)}:${info.modelID}` }),
    ...(usage && { usage }),
    meta: { [FORMAT]: { info, parts: list.filter(({ type }) => type !== 'text') } },
  };
}

const FORMAT = 'opencode';

/** A part that is not understood, whole. */
function otherPart(part: Fields): Part {
  return { type: FORMAT, part };
}

/** What an answer says and calls for; the results of its tools stand in a separate message. */
function answerParts(parts: readonly Fields[]): Part[] {
  return parts.map((part): Part => {
    switch (part.type) {
      case 'text':
        return typeof part.text === 'string' ? { type: 'text', text: part.text } : otherPart(part);
      case 'reasoning':
        return typeof part.text === 'string' ? reasoningPart(part) : otherPart(part);
      case 'tool':
        return callPart(part);
      default:
        return otherPart(part);
    }
  });
}

function reasoningPart({ text, metadata }: Fields): Part {
  const options = fieldsOf(metadata);
  return { type: 'reasoning', text, ...(Object.keys(options).length > 0 && { providerOptions: options }) };
}

function callPart(part: Fields): Part {
  const { callID, tool, state } = part;
  return {
    type: 'tool-call',
    toolCallId: textOf(callID) ?? String(part.id),
    toolName: textOf(tool) ?? 'unknown',
    input: fieldsOf(state).input ?? {},
  };
}

/** Only calls that are over have a result; one may still be running, or never have ended. */
function resultParts(parts: readonly Fields[]): Part[] {
  return parts.flatMap((part): Part[] => {
    const { status, output, error, metadata, title } = fieldsOf(part.state);
    if (part.type !== 'tool' || (status !== 'completed' && status !== 'error')) return [];
    const failed = status === 'error';
    return [
      {
        type: 'tool-result',
        toolCallId: textOf(part.callID) ?? String(part.id),
        toolName: textOf(part.tool) ?? 'unknown',
        output: { type: failed ? 'error-text' : 'text', value: textOf(failed ? error : output) ?? '' },
        providerOptions: { [FORMAT]: { ...(title !== undefined && { title }), metadata: metadata ?? null } },
      },
    ];
  });
}
