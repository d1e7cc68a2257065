import { deriveEntryId } from '../../../record/index.ts';
import { writeSyntheticPair } from '../../../summary/index.ts';
import { claudeLineKind } from '../../formats/claude-code/line-kind.ts';
import { fieldsOf, textOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { RecordKind, Shape, SummaryPlace } from '../shape.ts';

const OF_TURNS = new Set(['progress', 'system', 'attachment']);

/** Claude Code: lines that name the line they follow. */
export const claudeCodeShape: Shape = {
  kindOf(line): RecordKind {
    // What a sub-agent said belongs to the turn it worked in.
    if (line.isSidechain === true) return 'beside';
    switch (claudeLineKind(line)) {
      case 'prompt':
      case 'queued-prompt':
        return 'question';
      case 'reply':
        return 'answer';
      case 'results':
        return 'result';
      case 'note':
        return 'beside';
      case 'compaction':
        return 'compaction';
      default:
        return OF_TURNS.has(String(line.type)) ? 'beside' : 'other';
    }
  },
  nameOf: ({ uuid }) => textOf(uuid),
  parentOf: ({ parentUuid, logicalParentUuid }) =>
    parentUuid === null ? (textOf(logicalParentUuid) ?? null) : textOf(parentUuid),
  takesBack: () => 0,
  keptBy: () => undefined,
  elide(record, note) {
    const message = fieldsOf(record.message);
    if (!Array.isArray(message.content)) return undefined;
    const content = message.content.map((block) =>
      fieldsOf(block).type === 'tool_result' ? { ...fieldsOf(block), content: note } : block,
    );
    const { toolUseResult, ...rest } = record;
    // The same output once more, for the program's own display.
    return {
      ...rest,
      message: { ...message, content },
      ...(toolUseResult !== undefined && { toolUseResult: note }),
    };
  },
  callsIn({ message }) {
    const { content } = fieldsOf(message);
    const blocks = Array.isArray(content) ? content.map(fieldsOf) : [];
    return {
      calls: blocks.flatMap(({ type, id }) => (type === 'tool_use' ? (textOf(id) ?? []) : [])),
      results: blocks.flatMap(({ type, tool_use_id }) =>
        type === 'tool_result' ? (textOf(tool_use_id) ?? []) : [],
      ),
    };
  },
  otherName: (name) => deriveEntryId(name, 'compaction'),
  repeat: (record, { name, after }) => ({ ...record, uuid: name, parentUuid: after }),
  summaryRecords(place) {
    return place.style === 'own' ? compaction(place) : pair(place);
  },
};

function frame({ like, timestamp }: SummaryPlace, uuid: string, parentUuid: string | null): Fields {
  const { userType, cwd, sessionId, version, gitBranch } = like;
  return { parentUuid, isSidechain: false, userType, cwd, sessionId, version, gitBranch, uuid, timestamp };
}

function compaction(place: SummaryPlace): Fields[] {
  const name = place.name ?? deriveEntryId(place.timestamp, 'summary');
  const boundary = deriveEntryId(name, 'boundary');
  const content = `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n${place.text}`;
  return [
    {
      ...frame(place, boundary, null),
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      isMeta: false,
      level: 'info',
      compactMetadata: { trigger: 'manual', preTokens: place.tokensBefore },
    },
    {
      ...frame(place, name, boundary),
      type: 'user',
      message: { role: 'user', content },
      isVisibleInTranscriptOnly: true,
      isCompactSummary: true,
    },
  ];
}

function pair(place: SummaryPlace): Fields[] {
  const name = place.name ?? deriveEntryId(place.timestamp, 'summary');
  const first = deriveEntryId(name, 'question');
  const { user, assistant } = writeSyntheticPair(place.text);
  return [
    { ...frame(place, first, null), type: 'user', message: { role: 'user', content: user } },
    {
      ...frame(place, name, first),
      type: 'assistant',
      message: {
        model: textOf(fieldsOf(place.like.message).model) ?? '<synthetic>',
        id: `msg_${name.replaceAll('-', '')}`,
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: assistant }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    },
  ];
}
