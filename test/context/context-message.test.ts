import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { assistant, toolResult, user } from '../../src/testing/index.ts';
import { contextOf } from './states.ts';

describe('a context', () => {
  it('goes into the AI SDK as it is', () => {
    const built = contextOf([
      user('Look'),
      assistant('', { calls: [{ name: 'look' }] }),
      toolResult('look', { found: true }),
    ]);
    // The compiler is the test: no cast, no conversion.
    const messages: ModelMessage[] = built.messages;
    const instructions: string = built.instructions;
    expect({ messages, instructions }).toEqual({
      instructions: '',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Look' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'call_look', toolName: 'look', input: {} }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_look',
              toolName: 'look',
              output: { type: 'json', value: { found: true } },
            },
          ],
        },
      ],
    });
  });
});
