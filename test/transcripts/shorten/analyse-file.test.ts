import { describe, expect, it } from 'vitest';
import { countText } from '../../../src/tokens/index.ts';
import type { FormatName } from '../../../src/transcripts/index.ts';
import { analyseFile } from '../../../src/transcripts/shorten/analyse-file.ts';
import { shapeOf } from '../../../src/transcripts/shorten/shape.ts';

const NOISE = 'b2Zm-c2ln-bmF0-dXJl'.repeat(50);
const WORDS = 'Where are prices rounded in the cart?';
const ASKED = { pattern: 'round', path: 'src/cart.ts' };

/** The same exchange in three formats: a question, an answer with a call, its result. */
const FILES: readonly [FormatName, readonly object[]][] = [
  [
    'pi',
    [
      { type: 'message', id: 'a1', parentId: null, message: { role: 'user', content: WORDS } },
      {
        type: 'message',
        id: 'a2',
        parentId: 'a1',
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text: WORDS, textSignature: NOISE },
            { type: 'thinking', thinking: WORDS, thinkingSignature: NOISE },
            { type: 'toolCall', id: NOISE, name: 'grep', arguments: ASKED },
          ],
          api: NOISE,
          provider: NOISE,
          model: NOISE,
          responseId: NOISE,
        },
      },
      {
        type: 'message',
        id: 'a3',
        parentId: 'a2',
        message: {
          role: 'toolResult',
          toolCallId: NOISE,
          toolName: 'grep',
          content: [{ type: 'text', text: WORDS }],
        },
      },
    ],
  ],
  [
    'claude-code',
    [
      { type: 'user', uuid: 'a1', parentUuid: null, message: { role: 'user', content: WORDS } },
      {
        type: 'assistant',
        uuid: 'a2',
        parentUuid: 'a1',
        requestId: NOISE,
        message: {
          id: NOISE,
          model: NOISE,
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: WORDS, signature: NOISE },
            { type: 'text', text: WORDS },
            { type: 'tool_use', id: NOISE, name: 'grep', input: ASKED },
          ],
        },
      },
      {
        type: 'user',
        uuid: 'a3',
        parentUuid: 'a2',
        toolUseResult: { stdout: NOISE },
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: NOISE, content: WORDS }] },
      },
    ],
  ],
  [
    'codex',
    [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: WORDS }] },
      { type: 'reasoning', id: NOISE, summary: [{ text: WORDS }], encrypted_content: NOISE },
      { type: 'message', id: NOISE, role: 'assistant', content: [{ type: 'output_text', text: WORDS }] },
      { type: 'function_call', call_id: NOISE, name: 'grep', arguments: JSON.stringify(ASKED) },
      { type: 'function_call_output', call_id: NOISE, output: WORDS },
    ].map((payload) => ({ timestamp: '2026-01-05T10:00:00Z', type: 'response_item', payload })),
  ],
];

describe('the tokens of a file', () => {
  const said = 4 * countText(WORDS) + countText('grep') + countText(JSON.stringify(ASKED));

  it.each(FILES)(
    'of %s are those of messages and requests, not of names and signatures',
    (format, records) => {
      const lines = records.map((record) => ({ text: JSON.stringify(record), records: [record] }));
      const { analysis } = analyseFile(lines as never, shapeOf(format)!, { keepTurns: 10 });
      expect(analysis.tokens).toBe(said);
    },
  );
});
