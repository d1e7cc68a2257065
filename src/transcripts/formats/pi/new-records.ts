import type { EntryBody, Message, Part, Usage } from '../../../record/index.ts';
import { bytesOfFile, fileName, outputText } from '../../export/write-json.ts';
import { readOwnFields } from '../../parts/own-fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { OutgoingEntry } from '../../transcript.ts';
import { piNameOf } from './names.ts';

interface NewRecordOptions {
  /** What stands for everything that is compacted. */
  readonly summary: string;
  /** What a compaction keeps, as the version of the file says it. */
  readonly keeps: Fields;
}

/** Records for an entry that did not come from a pi file, without their place in the tree; none if none fits. */
export function newRecords(entry: OutgoingEntry, options: NewRecordOptions): Fields[] {
  const { body, at } = entry;
  if (body.kind === 'message') return newMessages(body, at).map((message) => ({ type: 'message', message }));
  const record = newRecord(body, options);
  return record ? [record] : [];
}

function newRecord(body: Exclude<EntryBody, Message>, options: NewRecordOptions): Fields | undefined {
  switch (body.kind) {
    case 'compaction':
      return {
        type: 'compaction',
        summary: options.summary,
        ...options.keeps,
        tokensBefore: body.tokensBefore,
      };
    case 'restoration':
      return {
        type: 'custom_message',
        customType: 'throughline',
        content: `[Resumed from ${body.parent}]\n\n${body.summary.overview}`,
        display: true,
      };
    case 'setting': {
      const { name, value } = body;
      if (name === 'title' && typeof value === 'string') return { type: 'session_info', name: value };
      if (name !== 'model' || typeof value !== 'string') return custom(body);
      const [provider, ...model] = value.split(':');
      return { type: 'model_change', provider, modelId: model.join(':') };
    }
    case 'mark':
      return body.mark === 'excluded' && 'entry' in body.target
        ? { type: 'context_edit', targetId: piNameOf(body.target.entry), replacement: null }
        : custom(body);
    case 'unknown':
      return undefined;
    default:
      return custom(body);
  }
}

/** pi keeps what an extension leaves in the file, so nothing that we know need be left out. */
function custom(data: object): Fields {
  return { type: 'custom', customType: 'throughline', data };
}

function newMessages(body: Message, timestamp: number): Fields[] {
  const { role, parts } = body;
  if (role === 'tool') return resultsOf(parts, timestamp);
  if (role === 'user') return [{ role, content: parts.flatMap((part) => newBlock(part)), timestamp }];
  if (role === 'assistant') return [newAnswer(body, timestamp)];
  return [{ role: 'custom', customType: 'throughline', content: textsOf(parts), display: false, timestamp }];
}

function newAnswer(body: Message, timestamp: number): Fields {
  const { parts } = body;
  const [provider, ...name] = (body.model ?? 'unknown:unknown').split(':');
  const content = parts.flatMap((part) => newBlock(part, provider));
  const calls = content.some(({ type }) => type === 'toolCall');
  return {
    role: 'assistant',
    content,
    api: APIS[provider ?? ''] ?? 'openai-completions',
    provider,
    model: name.join(':') || provider,
    usage: usageFields(body.usage),
    stopReason: body.status === 'interrupted' ? 'aborted' : calls ? 'toolUse' : 'stop',
    timestamp,
  };
}

const APIS: Readonly<Record<string, string>> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-responses',
  google: 'google-generative-ai',
};

/** pi has a message for each result. */
function resultsOf(parts: readonly Part[], timestamp: number): Fields[] {
  const results = parts.filter(({ type }) => type === 'tool-result');
  return results.map((part) => {
    const { text, failed } = outputText(part);
    return {
      role: 'toolResult',
      toolCallId: String(part.toolCallId),
      toolName: String(part.toolName),
      content: [{ type: 'text', text }],
      isError: failed,
      timestamp,
    };
  });
}

function textsOf(parts: readonly Part[]): string {
  return parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}

function newBlock(part: Part, provider?: string): Fields[] {
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' ? [{ type: 'text', text: part.text }] : [];
    case 'reasoning': {
      const { signature } = readOwnFields('anthropic', part.providerOptions);
      const signed = provider === 'anthropic' && typeof signature === 'string';
      return [
        { type: 'thinking', thinking: String(part.text), ...(signed && { thinkingSignature: signature }) },
      ];
    }
    case 'tool-call':
      return [
        {
          type: 'toolCall',
          id: String(part.toolCallId),
          name: String(part.toolName),
          arguments: part.input ?? {},
        },
      ];
    case 'file':
    case 'image': {
      const file = bytesOfFile(part);
      return file
        ? [{ type: 'image', data: file.base64, mimeType: file.mediaType }]
        : [{ type: 'text', text: `[${fileName(part)} is not here]` }];
    }
    default:
      return [];
  }
}

function usageFields(usage: Usage = { inputTokens: 0, outputTokens: 0 }): Fields {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, cost = 0 } = usage;
  return {
    input: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    output: outputTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
    totalTokens: inputTokens + outputTokens,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
  };
}
