import { type Converter, lineReader } from '../../source/convert-lines.ts';
import { fieldsOf, textOf, timeOf } from '../../source/fields.ts';
import type { FragmentItem, RecordItem } from '../../source/read-records.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { Found, FoundSettings } from '../../transcript.ts';
import { type ClaudeConversation, createClaudeConversation } from './conversation.ts';
import { claudeLineKind, isClaudeLine } from './line-kind.ts';

export const readClaudeCode = lineReader(isClaudeLine, createConverter);

interface Known {
  readonly conversation: ClaudeConversation;
  readonly about: Found;
}

function createConverter(): Converter {
  const conversations = new Map<string, Known>();
  /** Which sub-agent a line of one belongs to, where only its first line has no parent. */
  const sidechains = new Map<string, string>();
  /** Lines before the first that says whose they are. */
  let early: (RecordItem | FragmentItem)[] = [];
  let main: Known | undefined;
  let current: Known | undefined;

  function meet(key: string, line: Fields | undefined, sub: boolean): Known {
    let known = conversations.get(key);
    if (!known) {
      known = {
        conversation: createClaudeConversation(key),
        about: about(key, line, sub && main?.conversation.key),
      };
      conversations.set(key, known);
    }
    return known;
  }

  /** Says whose entries follow, where that changes. */
  function speak(known: Known, found: Found[], work: (mine: Found[]) => void): void {
    const mine: Found[] = [];
    work(mine);
    if (mine.length === 0) return;
    if (current !== known) found.push(known.about);
    current = known;
    found.push(...mine);
  }

  function start(line: Fields | undefined, found: Found[]): void {
    main = meet(textOf(line?.sessionId) ?? firstSession(early) ?? String(line?.uuid), line, false);
    for (const item of early) take(item, found);
    early = [];
  }

  function whose(line: Fields): Known {
    if (line.isSidechain !== true) return main!;
    const agent = textOf(line.agentId) ?? sidechains.get(String(line.parentUuid)) ?? String(line.uuid);
    if (typeof line.uuid === 'string' && line.agentId === undefined) sidechains.set(line.uuid, agent);
    return meet(`${main!.conversation.key}.${agent}`, line, true);
  }

  function take(item: RecordItem | FragmentItem, found: Found[]): void {
    if ('fragment' in item) {
      speak(main!, found, (mine) => main!.conversation.fragment(item.fragment, mine));
      return;
    }
    const { value, text } = item;
    const known = whose(value);
    speak(known, found, (mine) => known.conversation.take(value, claudeLineKind(value), text, mine));
  }

  return {
    record(item, found) {
      if (main) return take(item, found);
      early.push(item);
      if (typeof item.value.uuid !== 'string') return;
      early.pop();
      start(item.value, found);
      take(item, found);
    },
    fragment(item, found) {
      if (main) take(item, found);
      else early.push(item);
    },
    settle(found) {
      // Without a name it cannot be found again, so lines without a session id wait for one.
      if (!main && firstSession(early) !== undefined) start(undefined, found);
      for (const known of conversations.values()) {
        speak(known, found, (mine) => known.conversation.settle(mine));
      }
    },
  };
}

/** What a conversation is born with, from its first line: the same however much of the file there is. */
function about(key: string, line: Fields | undefined, parent: string | undefined | false): Found {
  const settings: FoundSettings = { agent: parent ? 'Claude Code sub-agent' : 'Claude Code' };
  const project = textOf(line?.cwd);
  if (project) settings.project = project;
  if (parent) settings.subAgentOf = parent;
  const createdAt = timeOf(line?.timestamp);
  return {
    kind: 'session',
    key,
    settings,
    ...(createdAt !== undefined && { createdAt }),
    ...(parent && { tags: ['sub-agent'] }),
  };
}

function firstSession(items: readonly (RecordItem | FragmentItem)[]): string | undefined {
  for (const item of items) {
    const id = 'value' in item ? textOf(fieldsOf(item.value).sessionId) : undefined;
    if (id) return id;
  }
  return undefined;
}
