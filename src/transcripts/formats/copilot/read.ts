import type { EntryId, Message, Part } from '../../../record/index.ts';
import { keepForeignFragment, keepForeignLine } from '../../foreign-lines.ts';
import { type Converter, lineReader } from '../../source/convert-lines.ts';
import { countOf, fieldsOf, isFields, readTranscriptUsage, textOf, timeOf } from '../../source/fields.ts';
import type { RecordItem } from '../../source/read-records.ts';
import { createRecordIds, type RecordIds } from '../../source/record-ids.ts';
import { type Fields, parseObject } from '../../source/recover-line.ts';
import type { Found, FoundBody, FoundSettings } from '../../transcript.ts';

const FORMAT = 'copilot';

/** Events of these kinds are known and say nothing to a conversation. */
const SILENT =
  /^(?:session|assistant|tool|hook|subagent|skill|user|permission|pending_messages|abort|system|model)\b/;

export const readCopilot = lineReader(isCopilotEvent, createConverter);

function isCopilotEvent({ type, data }: Fields): boolean {
  return typeof type === 'string' && /^[a-z_]+(?:\.[a-z_]+)?$/.test(type) && isFields(data);
}

function createConverter(): Converter {
  let ids: RecordIds | undefined;
  let at = 0;
  let model: string | undefined;
  let last: EntryId | null = null;
  let back: { after: EntryId | null } | undefined;
  const before = new Map<string, EntryId | null>();
  const toolNames = new Map<string, string>();

  function start({ value, text }: RecordItem, found: Found[]): RecordIds {
    const data = fieldsOf(value.data);
    const key = textOf(data.sessionId) ?? `headless-${textOf(value.id) ?? text.slice(0, 200)}`;
    const settings: FoundSettings = { agent: 'GitHub Copilot' };
    const folder = textOf(fieldsOf(data.context).cwd);
    if (folder) settings.project = folder;
    model = textOf(data.selectedModel);
    const createdAt = timeOf(data.startTime) ?? timeOf(value.timestamp);
    at = createdAt ?? 0;
    found.push({ kind: 'session', key, settings, ...(createdAt !== undefined && { createdAt }) });
    return createRecordIds(FORMAT, key);
  }

  function bodyOf({ type, data: raw }: Fields): FoundBody | undefined {
    const data = fieldsOf(raw);
    switch (type) {
      case 'user.message':
        return typeof data.content === 'string' ? said('user', data, textParts(data.content)) : undefined;
      case 'system.message':
        return typeof data.content === 'string' ? said('system', data, textParts(data.content)) : undefined;
      case 'assistant.message':
        return answerOf(data);
      case 'tool.execution_complete':
        return typeof data.toolCallId === 'string'
          ? resultOf(data, toolNames.get(data.toolCallId))
          : undefined;
      case 'session.compaction_complete':
        return typeof data.summaryContent === 'string' && data.summaryContent
          ? compactionOf(data)
          : undefined;
      default:
        return undefined;
    }
  }

  function answerOf(data: Fields): Message {
    const { content, toolRequests, reasoningText } = data;
    const requests = (Array.isArray(toolRequests) ? toolRequests : []).filter(isFields);
    const parts: Part[] = [
      ...(typeof reasoningText === 'string' && reasoningText
        ? [{ type: 'reasoning', text: reasoningText }]
        : []),
      ...(typeof content === 'string' && content ? textParts(content) : []),
      ...requests.map(callPart),
    ];
    for (const { toolCallId, name } of requests) toolNames.set(String(toolCallId), textOf(name) ?? 'unknown');
    const usage = readTranscriptUsage({ outputTokens: countOf(data.outputTokens) });
    const name = textOf(data.model) ?? model;
    return {
      ...said('assistant', data, parts),
      ...(name && { model: `copilot:${name}` }),
      ...(usage && { usage }),
    };
  }

  /** What happened to the session itself. */
  function note({ type, data: raw }: Fields): void {
    const data = fieldsOf(raw);
    if (type === 'session.model_change') model = textOf(data.newModel) ?? model;
    if (type === 'tool.execution_start' && typeof data.toolCallId === 'string')
      toolNames.set(data.toolCallId, textOf(data.toolName) ?? 'unknown');
    // The event it names and all behind it were taken back.
    if (type === 'session.snapshot_rewind') back = { after: before.get(String(data.upToEventId)) ?? last };
  }

  return {
    record(item, found) {
      ids ??= start(item, found);
      const { value, text, n } = item;
      at = timeOf(value.timestamp) ?? at;
      const name = textOf(value.id);
      const id = name === undefined ? ids.nth(n) : ids.named(name);
      const body = bodyOf(value);
      const unknown = !body && !SILENT.test(String(value.type));
      if (name !== undefined) before.set(name, last);
      const carried = body ?? keepForeignLine(FORMAT, value.type, text);
      found.push({ kind: 'entry', id, at, body: carried, ...back, ...(unknown && { unknown: true }) });
      back = undefined;
      last = id;
      note(value);
    },
    fragment({ fragment }, found) {
      if (ids)
        found.push({
          kind: 'entry',
          id: ids.worded(fragment),
          at,
          body: keepForeignFragment(FORMAT, fragment),
        });
    },
    settle: () => {},
  };
}

function said(role: Message['role'], { content: _, ...rest }: Fields, parts: readonly Part[]): Message {
  return { kind: 'message', role, parts, ...(Object.keys(rest).length > 0 && { meta: { [FORMAT]: rest } }) };
}

function textParts(text: string): Part[] {
  return [{ type: 'text', text }];
}

function callPart({ toolCallId, name, arguments: given }: Fields): Part {
  const input = typeof given === 'string' ? (parseObject(given) ?? given) : (given ?? {});
  return { type: 'tool-call', toolCallId: String(toolCallId), toolName: textOf(name) ?? 'unknown', input };
}

function resultOf(data: Fields, name: string | undefined): Message {
  const { toolCallId, success, result, error, ...rest } = data;
  const failed = success === false;
  const value = failed
    ? (textOf(fieldsOf(error).message) ?? textOf(error))
    : textOf(fieldsOf(result).content);
  const output =
    value === undefined
      ? { type: failed ? 'error-json' : 'json', value: (failed ? error : result) ?? null }
      : { type: failed ? 'error-text' : 'text', value };
  const toolName = name ?? textOf(data.toolName) ?? 'unknown';
  const part: Part = { type: 'tool-result', toolCallId: String(toolCallId), toolName, output };
  const detailed = textOf(fieldsOf(result).detailedContent);
  const more = { ...rest, ...(detailed !== undefined && { detailedContent: detailed }) };
  return { kind: 'message', role: 'tool', parts: [part], meta: { [FORMAT]: more } };
}

function compactionOf(data: Fields): FoundBody {
  const { summaryContent, preCompactionTokens, compactionTokensUsed, ...rest } = data;
  const { inputTokens, outputTokens, input, output } = fieldsOf(compactionTokensUsed);
  const before = countOf(preCompactionTokens);
  const usage = readTranscriptUsage({
    inputTokens: inputTokens ?? input,
    outputTokens: outputTokens ?? output,
  });
  return {
    kind: 'found-compaction',
    text: summaryContent as string,
    ...(before !== undefined && { tokensBefore: before }),
    ...(usage && { usage }),
    meta: { [FORMAT]: rest },
  };
}
