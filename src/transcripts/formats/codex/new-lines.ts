import type { Message, Part, SessionInfo } from '../../../record/index.ts';
import { bytesOfFile, fileName, outputText } from '../../export/write-json.ts';
import { readOwnFields } from '../../parts/own-fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { OutgoingEntry } from '../../transcript.ts';
import { codexCompaction } from './compaction.ts';

/** The first line of a rollout. It names no provider: Codex goes on only with the one that is named. */
export function newHeader({ createdAt, state }: SessionInfo, id: string): Fields {
  const timestamp = new Date(createdAt).toISOString();
  const cwd = state.settings.project ?? '/';
  return {
    timestamp,
    type: 'session_meta',
    payload: {
      id,
      timestamp,
      cwd,
      originator: 'throughline',
      cli_version: '0.166.0',
      source: 'cli',
    },
  };
}

/** Lines for an entry that did not come from a rollout; none if there is no place for it. */
export function newCodexLines({ at, body }: OutgoingEntry, { summary }: { summary: () => string }): Fields[] {
  const timestamp = new Date(at).toISOString();
  const line = (type: string, payload: Fields) => ({ timestamp, type, payload });
  if (body.kind === 'compaction') return [line('compacted', codexCompaction(summary()))];
  if (body.kind === 'restoration') {
    const text = `[Resumed from ${body.parent}]\n\n${body.summary.overview}`;
    return [line('response_item', message('developer', [{ type: 'input_text', text }]))];
  }
  if (body.kind !== 'message') return [];
  const items = itemsOf(body).map((item) => line('response_item', item));
  const words = textsOf(body.parts);
  // A message is written twice: as what the model is sent, and as what people are shown.
  if (body.role === 'user') return [...items, line('event_msg', { type: 'user_message', message: words })];
  if (body.role !== 'assistant' || words === '') return items;
  return [line('event_msg', { type: 'agent_message', message: words }), ...items];
}

function message(role: string, content: readonly Fields[]): Fields {
  return { type: 'message', role, content };
}

function itemsOf({ role, parts }: Message): Fields[] {
  if (role === 'assistant') return answerItems(parts);
  if (role === 'tool')
    return parts
      .filter(({ type }) => type === 'tool-result')
      .map((part) => ({
        type: 'function_call_output',
        call_id: String(part.toolCallId),
        output: outputText(part).text,
      }));
  const content = parts.flatMap(inputBlock);
  return content.length === 0 ? [] : [message(role === 'system' ? 'developer' : 'user', content)];
}

function answerItems(parts: readonly Part[]): Fields[] {
  return parts.flatMap((part): Fields[] => {
    switch (part.type) {
      case 'text':
        return typeof part.text === 'string' && part.text !== ''
          ? [message('assistant', [{ type: 'output_text', text: part.text }])]
          : [];
      case 'tool-call':
        return [
          {
            type: 'function_call',
            name: String(part.toolName),
            arguments: typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? {}),
            call_id: String(part.toolCallId),
          },
        ];
      case 'reasoning': {
        // Only what the service itself has sealed can be sent to it again.
        const { reasoningEncryptedContent } = readOwnFields('openai', part.providerOptions);
        return typeof reasoningEncryptedContent === 'string'
          ? [{ type: 'reasoning', summary: [], encrypted_content: reasoningEncryptedContent }]
          : [];
      }
      default:
        return [];
    }
  });
}

function inputBlock(part: Part): Fields[] {
  if (part.type === 'text')
    return typeof part.text === 'string' ? [{ type: 'input_text', text: part.text }] : [];
  if (part.type !== 'file' && part.type !== 'image') return [];
  const file = bytesOfFile(part);
  return file
    ? [{ type: 'input_image', image_url: `data:${file.mediaType};base64,${file.base64}` }]
    : [{ type: 'input_text', text: `[${fileName(part)} is not here]` }];
}

function textsOf(parts: readonly Part[]): string {
  return parts
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n');
}
