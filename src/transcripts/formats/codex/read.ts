import {
  addUsage,
  type EntryId,
  type Message,
  type Part,
  settingEntry,
  type Usage,
} from '../../../record/index.ts';
import { keepForeignFragment, keepForeignLine } from '../../foreign-lines.ts';
import { type Converter, lineReader } from '../../source/convert-lines.ts';
import { countOf, fieldsOf, readTranscriptUsage, textOf, timeOf } from '../../source/fields.ts';
import type { RecordItem } from '../../source/read-records.ts';
import { createRecordIds, type RecordIds } from '../../source/record-ids.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { Found, FoundBody, FoundEntry, FoundSettings } from '../../transcript.ts';
import { compactionOf } from './compaction.ts';
import { CODEX_FORMAT, type Split, splitItem } from './items.ts';
import { codexLine, isCodexRecord, isHumanItem } from './line-kind.ts';

/** A line without what stands in the parts, and its place. */
interface CarriedItem {
  readonly n: number;
  readonly line: Fields;
}

/** A reply while its items come in: thoughts, words and calls stand in separate lines. */
interface Reply {
  readonly id: string;
  readonly at: number;
  readonly after: FoundEntry['after'];
  readonly parts: Part[];
  readonly lines: CarriedItem[];
  usage?: Usage | undefined;
  /** A result or a count has come: what the model says next is another reply. */
  sealed: boolean;
  readonly held: FoundEntry[];
  /** The items given already, and the reported part of them. */
  given: { parts: number; usage: Usage | undefined; held: number } | undefined;
}

function replyBody({ parts, lines, usage }: Reply, model: string | undefined): Message {
  return {
    kind: 'message',
    role: 'assistant',
    parts: [...parts],
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
    meta: carryMeta(lines),
  };
}

function carryMeta(lines: readonly CarriedItem[]): Record<string, unknown> {
  return { [CODEX_FORMAT]: { lines: [...lines] } };
}

/** Counts are repeated; only what the total has grown by was used by the last call. */
function createUsageCounter(): (payload: Fields) => Usage | undefined {
  let total = '';
  return ({ info }) => {
    const { total_token_usage, last_token_usage } = fieldsOf(info);
    const sum = JSON.stringify(total_token_usage ?? null);
    if (sum === total) return undefined;
    total = sum;
    const { input_tokens, output_tokens, cached_input_tokens, reasoning_output_tokens } =
      fieldsOf(last_token_usage);
    return readTranscriptUsage({
      inputTokens: countOf(input_tokens),
      outputTokens: countOf(output_tokens),
      cacheReadTokens: countOf(cached_input_tokens),
      reasoningTokens: countOf(reasoning_output_tokens),
    });
  };
}

export const readCodex = lineReader(isCodexRecord, createConverter);

function createConverter(): Converter {
  let ids: RecordIds | undefined;
  let at = 0;
  let provider = 'openai';
  let model: string | undefined;
  let reply: Reply | undefined;
  let last: EntryId | null = null;
  let early: { fragment: string; n: number }[] = [];
  /** What stood before each question that still counts. */
  let turns: (EntryId | null)[] = [];
  /** Where the next entry goes after turns were taken back. */
  let back: { after: EntryId | null } | undefined;
  const toolNames = new Map<string, string>();
  const countUsage = createUsageCounter();

  function start({ value, text }: RecordItem, found: Found[]): RecordIds {
    const { kind, payload } = codexLine(value);
    const header = kind === 'header' ? payload : {};
    const key = textOf(header.id) ?? textOf(header.session_id) ?? `headless-${text.slice(0, 200)}`;
    const settings: FoundSettings = { agent: 'Codex' };
    if (typeof header.cwd === 'string' && header.cwd) settings.project = header.cwd;
    if (typeof header.model_provider === 'string') provider = header.model_provider;
    const createdAt = timeOf(value.timestamp) ?? timeOf(header.timestamp);
    at = createdAt ?? 0;
    found.push({ kind: 'session', key, settings, ...(createdAt !== undefined && { createdAt }) });
    const made = createRecordIds(CODEX_FORMAT, key);
    for (const { fragment, n } of early) {
      found.push({
        kind: 'entry',
        id: made.nth(n),
        at,
        body: keepForeignFragment(CODEX_FORMAT, fragment, n),
      });
    }
    early = [];
    return made;
  }

  function place(id: EntryId): { after?: EntryId | null } {
    const after = back;
    back = undefined;
    last = id;
    return after ?? {};
  }

  function entry(id: EntryId, body: FoundBody, more: Partial<FoundEntry> = {}): FoundEntry {
    return { kind: 'entry', id, at, body, ...(!more.aside && place(id)), ...more };
  }

  function give(one: FoundEntry, found: Found[]): void {
    if (reply) reply.held.push(one);
    else found.push(one);
  }

  function settle(found: Found[]): void {
    if (!reply) return;
    const { given, parts, usage, held, after, id } = reply;
    if (!given || given.parts < parts.length || given.usage !== usage) {
      const body = replyBody(reply, model && `${provider}:${model}`);
      const again = given ? { again: true as const } : {};
      found.push({ kind: 'entry', id, at: reply.at, body, ...(after !== undefined && { after }), ...again });
      for (const one of held.slice(0, given?.held ?? 0)) found.push({ ...one, again: true });
    }
    found.push(...held.slice(given?.held ?? 0));
    reply.given = { parts: parts.length, usage, held: held.length };
  }

  function close(found: Found[]): void {
    settle(found);
    reply = undefined;
  }

  function takeItem(item: RecordItem, payload: Fields, split: Split, found: Found[]): void {
    const { n, value } = item;
    const line = 'payload' in value ? { ...value, payload: split.rest } : split.rest;
    const id = ids!.nth(n);
    const { type, role } = payload;
    if (typeof payload.call_id === 'string' && typeof payload.name === 'string')
      toolNames.set(payload.call_id, payload.name);
    if (type === 'function_call_output' || type === 'custom_tool_call_output') {
      const body: Message = {
        kind: 'message',
        role: 'tool',
        parts: split.parts,
        meta: carryMeta([{ n, line }]),
      };
      if (reply) reply.sealed = true;
      give(entry(id, body), found);
    } else if (type === 'message' && role !== 'assistant') {
      close(found);
      const asked = role === 'user' && isHumanItem(payload);
      if (asked) turns.push(last);
      const meta = carryMeta([{ n, line }]);
      found.push(entry(id, { kind: 'message', role: asked ? 'user' : 'system', parts: split.parts, meta }));
    } else {
      if (!reply || reply.sealed) {
        close(found);
        const { after } = place(id);
        reply = { id, at, after, parts: [], lines: [], sealed: false, held: [], given: undefined };
      }
      reply.parts.push(...split.parts);
      reply.lines.push({ n, line });
    }
  }

  function takeEvent(payload: Fields): void {
    if (payload.type === 'token_count') {
      const used = countUsage(payload);
      if (reply && used) reply.usage = reply.usage ? addUsage(reply.usage, used) : used;
      if (reply) reply.sealed = true;
    }
  }

  /** Turns that were taken back are still in the file; what comes next follows what stood before them. */
  function rollBack(payload: Fields, found: Found[]): void {
    const count = Math.floor(countOf(payload.num_turns) ?? 0);
    if (payload.type !== 'thread_rolled_back' || count === 0) return;
    close(found);
    const kept = Math.max(0, turns.length - count);
    if (kept < turns.length) back = { after: turns[kept]! };
    turns = turns.slice(0, kept);
  }

  function takeContext({ model: name }: Fields, id: EntryId, found: Found[]): void {
    if (typeof name !== 'string' || name === model) return;
    close(found);
    model = name;
    const { body } = settingEntry('model', `${provider}:${name}`, { by: 'user' });
    found.push(entry(ids!.beside(id, 'model'), body, { aside: true }));
  }

  return {
    record(item, found) {
      ids ??= start(item, found);
      const { value, text, n } = item;
      at = timeOf(value.timestamp) ?? at;
      const { kind, payload } = codexLine(value);
      const split = kind === 'item' ? splitItem(payload, (callId) => toolNames.get(callId)) : undefined;
      if (split) return takeItem(item, payload, split, found);
      const id = ids.nth(n);
      if (kind === 'compacted') {
        const body = compactionOf(value, n);
        close(found);
        if (body) return void found.push(entry(id, body));
      }
      if (kind === 'event') takeEvent(payload);
      const unknown = kind === 'unknown' || kind === 'item';
      give(
        entry(id, keepForeignLine(CODEX_FORMAT, value.type, text, n), unknown ? { unknown: true } : {}),
        found,
      );
      if (kind === 'event') rollBack(payload, found);
      if (kind === 'context') takeContext(payload, id, found);
    },
    fragment({ fragment, n }, found) {
      if (ids) give(entry(ids.nth(n), keepForeignFragment(CODEX_FORMAT, fragment, n)), found);
      else early.push({ fragment, n });
    },
    settle,
  };
}
