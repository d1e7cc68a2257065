import type { Message } from '../src/index.ts';

const WORDS =
  'the store keeps every entry in order and a reader finds it again by number while src/log.ts holds 42 rows of it'.split(
    ' ',
  );

/** The mix that sessions of coding agents have: a short question, an answer, a tool result. Deterministic. */
export function messageAt(index: number): Message {
  if (index % 3 === 0)
    return { kind: 'message', role: 'user', parts: [{ type: 'text', text: prose(index, 200) }] };
  if (index % 3 === 1) {
    return {
      kind: 'message',
      role: 'assistant',
      parts: [{ type: 'text', text: prose(index, 2048) }],
      model: 'bench:model',
    };
  }
  const output = { type: 'text', value: prose(index, 8192) };
  return {
    kind: 'message',
    role: 'tool',
    parts: [{ type: 'tool-result', toolCallId: `call-${index}`, toolName: 'read', output }],
  };
}

function prose(seed: number, length: number): string {
  let text = `${seed}`;
  for (let i = seed; text.length < length; i = (i * 31 + 7) % 10_007) text += ` ${WORDS[i % WORDS.length]}`;
  return text.slice(0, length);
}
