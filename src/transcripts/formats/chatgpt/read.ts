import type { EntryId } from '../../../record/index.ts';
import { keepForeignLine } from '../../foreign-lines.ts';
import { fieldsOf, isFields, textOf, timeOf } from '../../source/fields.ts';
import { peekFirst } from '../../source/peek.ts';
import { readJson } from '../../source/read-json.ts';
import { createRecordIds, type RecordIds } from '../../source/record-ids.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { Found, FoundSettings, Reader } from '../../transcript.ts';
import { CHATGPT_FORMAT, toChatGptMessage } from './messages.ts';

/** Reads `conversations.json` of an export, one conversation after the other, or a file with a single one. */
export const readChatGpt: Reader = async function* (source) {
  const { changedAt } = source;
  const { source: whole, first } = await peekFirst(source);
  if (first === '{') {
    // One conversation: its fields are all there is, and it is never long.
    for await (const pieces of readJson(whole, { lists: [] })) {
      yield pieces.flatMap((piece): Found[] => {
        if ('damage' in piece) return [{ kind: 'damage', what: piece.damage }];
        return 'whole' in piece ? conversation(piece.whole, { n: 0, changedAt }) : [];
      });
    }
  } else {
    for await (const pieces of readJson(whole, { lists: [''] })) {
      yield pieces.flatMap((piece): Found[] => {
        if ('damage' in piece) return [{ kind: 'damage', what: piece.damage }];
        if (!('item' in piece)) return [];
        return isFields(piece.item)
          ? conversation(piece.item, { n: piece.n, changedAt })
          : [{ kind: 'damage', what: 'misshapen' }];
      });
    }
  }
  yield [{ kind: 'quiet' }];
};

interface Node {
  readonly name: string;
  readonly parent: string | undefined;
  readonly message: Fields | undefined;
  readonly children: string[];
}

/** What one would go on with stays in the session; every other way that was tried becomes a fork. */
function conversation(value: Fields, { n, changedAt }: { n: number; changedAt: number }): Found[] {
  const nodes = nodesOf(value.mapping);
  if (!nodes) return [{ kind: 'damage', what: 'misshapen' }];
  const key = textOf(value.id) ?? textOf(value.conversation_id) ?? `conversation ${n}`;
  const ids = createRecordIds(CHATGPT_FORMAT, key);
  const createdAt = seconds(value.create_time);
  const settings: FoundSettings = { agent: 'ChatGPT' };
  if (typeof value.title === 'string' && value.title) settings.title = value.title;
  const found: Found[] = [{ kind: 'session', key, settings, ...(createdAt !== undefined && { createdAt }) }];
  const walk = { nodes, ids, found, at: createdAt ?? changedAt, given: new Map<string, EntryId | null>() };
  const end = giveLine(walk, mainLine(value, nodes));
  for (const name of nodes.keys()) {
    if (walk.given.has(name)) continue;
    giveLine(walk, pathTo(lastBelow(name, nodes, walk.given), nodes));
  }
  if (end !== undefined) found.push({ kind: 'place', after: end });
  return found;
}

function nodesOf(mapping: unknown): Map<string, Node> | undefined {
  if (!isFields(mapping)) return undefined;
  const nodes = new Map<string, Node>();
  for (const [name, node] of Object.entries(mapping)) {
    const { parent, message } = fieldsOf(node);
    nodes.set(name, {
      name,
      parent: textOf(parent),
      message: isFields(message) ? message : undefined,
      children: [],
    });
  }
  for (const { name, parent } of nodes.values())
    if (parent !== undefined) nodes.get(parent)?.children.push(name);
  return nodes;
}

/** From the beginning to where the conversation stands; without a note of that, to the end of the last way taken. */
function mainLine({ current_node }: Fields, nodes: ReadonlyMap<string, Node>): string[] {
  const current = textOf(current_node);
  if (current !== undefined && nodes.has(current)) return pathTo(current, nodes);
  const root = [...nodes.values()].find(({ parent }) => parent === undefined || !nodes.has(parent));
  return root ? pathTo(lastBelow(root.name, nodes, new Map()), nodes) : [];
}

function lastBelow(
  name: string,
  nodes: ReadonlyMap<string, Node>,
  given: ReadonlyMap<string, unknown>,
): string {
  const seen = new Set<string>();
  for (let at = name; ; ) {
    seen.add(at);
    const next = nodes.get(at)?.children.findLast((child) => !seen.has(child) && !given.has(child));
    if (next === undefined) return at;
    at = next;
  }
}

function pathTo(name: string, nodes: ReadonlyMap<string, Node>): string[] {
  const path = new Set<string>();
  for (let node = nodes.get(name); node && !path.has(node.name); node = nodes.get(node.parent ?? ''))
    path.add(node.name);
  return [...path].reverse();
}

interface Walk {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly ids: RecordIds;
  readonly found: Found[];
  at: number;
  /** The entry that stands for a node; nodes without a message stand for the node before them. */
  readonly given: Map<string, EntryId | null>;
}

/** Gives the nodes of a line that were not given yet, and says what it ends with. */
function giveLine(walk: Walk, line: readonly string[]): EntryId | undefined {
  const { nodes, ids, found, given } = walk;
  let last: EntryId | null = null;
  let fresh = false;
  for (const name of line) {
    const known = given.get(name);
    if (known !== undefined) {
      last = known;
      continue;
    }
    const { message } = nodes.get(name)!;
    if (message) {
      const id = ids.named(name);
      walk.at = seconds(message.create_time) ?? walk.at;
      const body = toChatGptMessage(message, { id: name, caller: callerOf(name, nodes) });
      const text = body ?? keepForeignLine(CHATGPT_FORMAT, 'message', JSON.stringify(message));
      found.push({ kind: 'entry', id, at: walk.at, body: text, ...(!fresh && { after: last }) });
      fresh = true;
      last = id;
    }
    given.set(name, last);
  }
  return last ?? undefined;
}

/** The message that a tool's answer belongs to. */
function callerOf(name: string, nodes: ReadonlyMap<string, Node>): string | undefined {
  const { parent } = nodes.get(name)!;
  return parent !== undefined && nodes.get(parent)?.message ? parent : undefined;
}

/** Times are seconds, with fractions. */
function seconds(value: unknown): number | undefined {
  return typeof value === 'number' ? timeOf(value * 1000) : timeOf(value);
}
