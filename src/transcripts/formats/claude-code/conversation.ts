import { type EntryId, type Message, settingEntry, type Usage } from '../../../record/index.ts';
import { keepForeignFragment, keepForeignLine } from '../../foreign-lines.ts';
import { countOf, fieldsOf, textOf, timeOf } from '../../source/fields.ts';
import { createRecordIds } from '../../source/record-ids.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { Found, FoundBody, FoundEntry } from '../../transcript.ts';
import { toClaudePart, UNNAMED } from './blocks.ts';
import { CLAUDE_CODE_FORMAT, carryMeta } from './carry.ts';
import type { LineKind } from './line-kind.ts';
import { belongsToReply, type Reply, replyBody, startReply, timeOfReply } from './reply.ts';

/** The lines of one conversation: the main one of a file, or that of a sub-agent. */
export interface ClaudeConversation {
  readonly key: string;
  take(line: Fields, kind: LineKind, text: string, found: Found[]): void;
  fragment(text: string, found: Found[]): void;
  settle(found: Found[]): void;
}

/** A reply is over at the latest when so much was held behind it. */
const MOST_HELD = 2000;

export function createClaudeConversation(key: string): ClaudeConversation {
  const ids = createRecordIds(CLAUDE_CODE_FORMAT, key);
  const uuids = createUuids();
  const toolNames = new Map<string, string>();
  let reply: Reply | undefined;
  /** The usage of the newest reply that was closed, in case it goes on. */
  let closed: { id: string; usage: Usage | undefined } | undefined;
  let at = 0;
  let spoken = false;
  let preTokens: number | undefined;

  function entry(id: EntryId, body: FoundBody, more: Partial<FoundEntry> = {}): FoundEntry {
    return { kind: 'entry', id, at, body, ...more };
  }

  function follows(line: Fields, how: { strict: boolean }): EntryId | null | undefined {
    const name = uuids.follows(line, how);
    return name === undefined || name === null ? name : ids.named(name);
  }

  /** What comes behind an open reply waits for it, so that the reply stands before its results. */
  function give(one: FoundEntry, found: Found[]): void {
    if (reply) reply.held.push(one);
    else found.push(one);
    if (reply && reply.held.length >= MOST_HELD) close(found);
  }

  function settle(found: Found[]): void {
    if (!reply) return;
    const { given, held, lines } = reply;
    if (given.lines < lines.length) {
      const again = given.lines > 0 ? { again: true as const } : {};
      const body = replyBody(reply, { counted: closed?.id === reply.id ? closed.usage : undefined });
      const time = timeOfReply(reply) ?? at;
      const { after } = reply;
      const id = ids.named(String(lines[0]!.uuid));
      found.push({ ...entry(id, body, again), at: time, ...(after !== undefined && { after }) });
      for (const one of held.slice(0, given.held)) found.push({ ...one, again: true });
    }
    found.push(...held.slice(given.held));
    reply.given = { lines: lines.length, held: held.length };
  }

  function close(found: Found[]): void {
    settle(found);
    if (reply) closed = { id: reply.id, usage: reply.usage };
    reply = undefined;
  }

  function takeReply(line: Fields, found: Found[]): void {
    for (const block of blocksOf(line)) {
      if (block.type === 'tool_use' && typeof block.id === 'string' && typeof block.name === 'string')
        toolNames.set(block.id, block.name);
    }
    if (reply && belongsToReply(reply, line)) {
      uuids.alias(line, reply.lines[0]!);
      reply.lines.push(line);
      // A reply is given whole, before its results: one that came before its call is called by that all the same.
      reply.held = reply.held.map((one) => named(one, toolNames));
      return;
    }
    close(found);
    reply = startReply(line, follows(line, { strict: false }));
  }

  function takeUserLine(line: Fields, kind: LineKind, found: Found[]): void {
    const { content } = fieldsOf(line.message);
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content as unknown[]);
    const parts = blocks.map((block) => toClaudePart(block, (callId) => toolNames.get(callId)));
    const role = kind === 'results' ? 'tool' : kind === 'note' ? 'system' : 'user';
    const body: Message = { kind: 'message', role, parts, meta: carryMeta([line]) };
    if (kind === 'results') for (const block of blocksOf(line)) toolNames.delete(String(block.tool_use_id));
    if (kind !== 'prompt') {
      give(entry(ids.named(String(line.uuid)), body), found);
      return;
    }
    close(found);
    const after = spoken ? follows(line, { strict: true }) : undefined;
    uuids.newTurn();
    found.push(entry(ids.named(String(line.uuid)), body, after === undefined ? {} : { after }));
  }

  function takeQueued(line: Fields, found: Found[]): void {
    close(found);
    const { attachment, ...rest } = line;
    const { prompt, ...more } = fieldsOf(attachment);
    const blocks = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : (prompt as unknown[]);
    // Put into the shape of a user line, with its own fields beside: one way back for both.
    const shape = { ...rest, attachment: more, message: { content: prompt } };
    const parts = blocks.map((block) => toClaudePart(block, () => undefined));
    const body: Message = { kind: 'message', role: 'user', parts, meta: carryMeta([shape]) };
    found.push(entry(ids.named(String(line.uuid)), body));
  }

  function takeCompaction(line: Fields, found: Found[]): void {
    close(found);
    const { content } = fieldsOf(line.message);
    const text =
      typeof content === 'string'
        ? content
        : blocksOf(line)
            .map(({ text }) => textOf(text) ?? '')
            .join('\n');
    const parts = blocksOf(line).map((block) => toClaudePart(block, () => undefined));
    const meta = { ...carryMeta([line]), ...(typeof content !== 'string' && { parts }) };
    const before = preTokens === undefined ? {} : { tokensBefore: preTokens };
    preTokens = undefined;
    found.push(entry(ids.named(String(line.uuid)), { kind: 'found-compaction', text, ...before, meta }));
    uuids.newTurn();
  }

  /** Titles stand in separate lines; the line is kept, and what it says becomes a setting. */
  function takeTitle(line: Fields, id: EntryId, found: Found[]): void {
    const title = textOf(line.customTitle) ?? textOf(line.aiTitle) ?? textOf(line.summary);
    if (!title || (line.type === 'summary' && !uuids.isRecent(String(line.leafUuid)))) return;
    const by = line.type === 'custom-title' ? 'user' : 'auto';
    give(entry(ids.beside(id, 'title'), settingEntry('title', title, { by }).body), found);
  }

  return {
    key,
    take(line, kind, text, found) {
      // A record without a time has that of the reply it stands behind, wherever it stands there.
      at = timeOf(line.timestamp) ?? (reply && timeOfReply(reply)) ?? at;
      const uuid = textOf(line.uuid);
      if (uuid !== undefined && uuids.isRepeated(uuid)) {
        found.push({ kind: 'damage', what: 'repeated' });
        return give(entry(ids.worded(text), keepForeignLine(CLAUDE_CODE_FORMAT, line.type, text)), found);
      }
      if (kind === 'reply') takeReply(line, found);
      else if (kind === 'prompt' || kind === 'results' || kind === 'note') takeUserLine(line, kind, found);
      else if (kind === 'queued-prompt') takeQueued(line, found);
      else if (kind === 'compaction') takeCompaction(line, found);
      else {
        if (line.subtype === 'compact_boundary') {
          close(found);
          preTokens = countOf(fieldsOf(line.compactMetadata).preTokens);
        }
        if (kind === 'misshapen') found.push({ kind: 'damage', what: 'misshapen' });
        const id = uuid === undefined ? ids.worded(text) : ids.named(uuid);
        const unknown = kind === 'unknown' ? { unknown: true as const } : {};
        give(entry(id, keepForeignLine(CLAUDE_CODE_FORMAT, line.type, text), unknown), found);
        if (kind === 'title') takeTitle(line, id, found);
      }
      if (uuid !== undefined) uuids.add(uuid);
      spoken ||= kind === 'prompt' || kind === 'reply' || kind === 'compaction';
    },
    fragment: (text, found) =>
      give(entry(ids.worded(text), keepForeignFragment(CLAUDE_CODE_FORMAT, text)), found),
    settle,
  };
}

function blocksOf({ message }: Fields): Fields[] {
  const { content } = fieldsOf(message);
  return Array.isArray(content) ? content.map(fieldsOf) : [{ type: 'text', text: content }];
}

function named(one: FoundEntry, names: ReadonlyMap<string, string>): FoundEntry {
  const { body } = one;
  if (body.kind !== 'message' || body.role !== 'tool') return one;
  const parts = body.parts.map((part) => {
    const name = names.get(String(part.toolCallId));
    return part.type === 'tool-result' && part.toolName === UNNAMED && name !== undefined
      ? { ...part, toolName: name }
      : part;
  });
  return { ...one, body: { ...body, parts } };
}

// Lines name the line they follow. Most of that is noise: progress and hooks hang on the same line as the answer, and
// each tool result on its own call. Only where a person asks something behind an earlier line is there another branch.

interface Uuids {
  add(uuid: string): void;
  /** The line belongs to the entry of another line. */
  alias(line: Fields, first: Fields): void;
  /** A person has spoken: the earlier line is behind. */
  newTurn(): void;
  /** What a line follows, if that is not where we are. `strict`: anything before the last prompt is elsewhere. */
  follows(line: Fields, options: { strict: boolean }): string | null | undefined;
  isRecent(uuid: string): boolean;
  isRepeated(uuid: string): boolean;
}

/** How many names are remembered. An older parent without a line counts as missing. */
const MOST_NAMES = 50_000;

function createUuids(): Uuids {
  let turn = new Set<string>();
  let lastTurn = new Set<string>();
  const seen = new Set<string>();
  const firsts = new Map<string, string>();

  return {
    add(uuid) {
      turn.add(uuid);
      seen.add(uuid);
      forget(turn);
      forget(seen);
    },
    alias({ uuid }, first) {
      if (typeof uuid === 'string') firsts.set(uuid, String(first.uuid));
      forget(firsts);
    },
    newTurn() {
      lastTurn = turn;
      turn = new Set();
    },
    follows({ parentUuid }, { strict }) {
      if (parentUuid === null) return strict ? null : undefined;
      const parent = textOf(parentUuid);
      if (parent === undefined || turn.has(parent) || (!strict && lastTurn.has(parent))) return undefined;
      return firsts.get(parent) ?? parent;
    },
    isRecent: (uuid) => turn.has(uuid) || lastTurn.has(uuid),
    isRepeated: (uuid) => seen.has(uuid),
  };
}

/** Drops the oldest half once there are too many. */
function forget(names: Set<string> | Map<string, string>): void {
  if (names.size <= MOST_NAMES) return;
  let left = names.size - MOST_NAMES / 2;
  for (const name of names.keys()) {
    if (left-- <= 0) return;
    names.delete(name);
  }
}
