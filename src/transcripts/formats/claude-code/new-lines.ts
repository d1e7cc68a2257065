import { deriveEntryId, type EntryId, type Message, type Part, type Usage } from '../../../record/index.ts';
import { bytesOfFile, fileName, outputText } from '../../export/write-json.ts';
import { fieldsOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { OutgoingEntry } from '../../transcript.ts';

export interface LineOrigin {
  readonly sessionId: string;
  readonly cwd: string;
}

interface NewLineOptions {
  readonly origin: LineOrigin;
  /** The line that it follows. */
  readonly parent: EntryId | null;
  /** What stands for everything that is compacted. */
  readonly summary: () => string;
}

/** The newest version whose files were compared with these. */
const VERSION = '2.1.72';

/** Lines for an entry that did not come from a Claude Code file; `undefined` if there is no place for it. */
export function newClaudeLines(entry: OutgoingEntry, options: NewLineOptions): Fields[] | undefined {
  const { body } = entry;
  if (body.kind === 'compaction') return compactionLines(entry, options);
  if (body.kind === 'restoration') {
    const text = `[Resumed from ${body.parent}]\n\n${options.summary() || body.summary.overview}`;
    return [
      { ...frame(entry, options), type: 'user', message: { role: 'user', content: text }, isMeta: true },
    ];
  }
  return body.kind === 'message' ? messageLines(entry, body, options) : undefined;
}

function frame({ id, at }: OutgoingEntry, { origin, parent }: NewLineOptions): Fields {
  return {
    parentUuid: parent,
    isSidechain: false,
    userType: 'external',
    cwd: origin.cwd,
    sessionId: origin.sessionId,
    version: VERSION,
    gitBranch: '',
    uuid: id,
    timestamp: new Date(at).toISOString(),
  };
}

/** An answer that failed before its first word, or an unsigned thought: there is nothing to send. */
export function hasContent({ parts, role }: Message): boolean {
  return parts.some((part) => newBlock(part, role).length > 0);
}

function messageLines(entry: OutgoingEntry, body: Message, options: NewLineOptions): Fields[] | undefined {
  const blocks = body.parts.flatMap((part) => newBlock(part, body.role));
  if (blocks.length === 0) return undefined;
  if (body.role === 'assistant')
    return [{ ...frame(entry, options), type: 'assistant', message: reply(entry, body, blocks) }];
  const [first, second] = blocks;
  const content = first?.type === 'text' && second === undefined ? first.text : blocks;
  const meta = body.role === 'system' ? { isMeta: true } : {};
  return [{ ...frame(entry, options), type: 'user', message: { role: 'user', content }, ...meta }];
}

function reply({ id }: OutgoingEntry, { model, usage }: Message, content: readonly Fields[]): Fields {
  return {
    model: model?.replace(/^[^:]*:/, '') ?? 'unknown',
    id: `msg_${id.replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: usageFields(usage),
  };
}

function usageFields({
  inputTokens,
  outputTokens,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
}: Usage = NONE): Fields {
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  };
}

const NONE: Usage = { inputTokens: 0, outputTokens: 0 };

/** A boundary, and behind it the summary in the user's place: what the program itself writes when it compacts. */
function compactionLines(entry: OutgoingEntry, options: NewLineOptions): Fields[] {
  const boundary = deriveEntryId(entry.id, 'boundary');
  const { body } = entry;
  const preTokens = body.kind === 'compaction' ? body.tokensBefore : 0;
  return [
    {
      ...frame(entry, options),
      parentUuid: null,
      logicalParentUuid: options.parent,
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      isMeta: false,
      level: 'info',
      compactMetadata: { trigger: 'manual', preTokens },
      uuid: boundary,
    },
    {
      ...frame(entry, { ...options, parent: boundary }),
      type: 'user',
      message: {
        role: 'user',
        content: `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n${options.summary()}`,
      },
      isVisibleInTranscriptOnly: true,
      isCompactSummary: true,
    },
  ];
}

function newBlock(part: Part, role: Message['role']): Fields[] {
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' && part.text !== '' ? [{ type: 'text', text: part.text }] : [];
    case 'reasoning': {
      // Unsigned thoughts are refused by the service, and other services' signatures mean nothing to it.
      const { signature } = fieldsOf(fieldsOf(part.providerOptions).anthropic);
      return role === 'assistant' && typeof signature === 'string'
        ? [{ type: 'thinking', thinking: part.text, signature }]
        : [];
    }
    case 'tool-call':
      return [{ type: 'tool_use', id: callId(part), name: String(part.toolName), input: inputOf(part) }];
    case 'tool-result': {
      const { text, failed } = outputText(part);
      return [
        { type: 'tool_result', tool_use_id: callId(part), content: text, ...(failed && { is_error: true }) },
      ];
    }
    case 'file':
    case 'image':
      return fileBlock(part);
    default:
      return [];
  }
}

/** Other services name calls in ways that this one refuses. */
function callId({ toolCallId }: Part): string {
  return String(toolCallId).replace(/[^A-Za-z0-9_-]/g, '_');
}

function inputOf({ input }: Part): unknown {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? input
    : { input: input ?? null };
}

function fileBlock(part: Part): Fields[] {
  const file = bytesOfFile(part);
  if (!file) return [{ type: 'text', text: `[${fileName(part)} is not here]` }];
  const type = file.mediaType.startsWith('image') ? 'image' : 'document';
  return [{ type, source: { type: 'base64', media_type: file.mediaType, data: file.base64 } }];
}
