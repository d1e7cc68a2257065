import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Part } from '../../../src/record/index.ts';
import { assistant, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { anyJson, anyText } from '../../record/arbitraries.ts';
import { common } from '../provider-rules.ts';
import { contextOf, linesOf } from '../states.ts';

describe('bad Unicode', () => {
  it('never reaches a provider, wherever it stands', () => {
    fc.assert(
      fc.property(anyText, anyJson, anyText, (text, value, name) => {
        const built = contextOf(
          [
            user(text),
            assistant(text, { calls: [{ name: `t${name}`, input: value, id: `i${text}` }] }),
            toolResult(name, value, { id: `i${text}` }),
            user(text),
          ],
          {
            head: [{ part: 'agent', text }],
            tools: [{ name: 'look', description: text }],
            recall: [{ entry: 'e', seq: 1, role: 'user', text }],
          },
        );
        expect(common(built.messages)).toEqual([]);
        expect(built.instructions.isWellFormed()).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('is replaced in the request only, one code unit for one', () => {
    const body = user('half \ud83d smile, \0, whole 😀');
    expect(linesOf(contextOf([body]))).toEqual(['user: half \ufffd smile, \0, whole 😀']);
    expect(body.parts[0]!.text).toBe('half \ud83d smile, \0, whole 😀');
  });

  it('is not made by a cut: cuts fall between code points', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 4_000 }), (count) => {
        const built = contextOf([user('😀'.repeat(count * 3))], { budget: { window: 4_000 } });
        expect(built.steps).toEqual(['cut-messages']);
        expect(linesOf(built)[0]).not.toContain('\ufffd');
        expect(common(built.messages)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it('does not make two keys out of one, or lose a value', () => {
    const built = contextOf([user('Go'), toolCall('look', { 'a\ud800': 1, b: { '\udc00': [2] } })]);
    expect((built.messages[1]!.content[0] as unknown as Part).input).toEqual({
      'a\ufffd': 1,
      b: { '\ufffd': [2] },
    });
  });
});

describe('messages without anything to say', () => {
  it('say so when a user sent them, and are left out when a model did', () => {
    expect(linesOf(contextOf([user(''), assistant('  '), user([]), assistant('Yes?')]))).toEqual([
      'user: (empty message)',
      'user: (empty message)',
      'assistant: Yes?',
    ]);
  });

  it.each([
    [{ type: 'text', value: '' }],
    [{ type: 'content', value: [] }],
    [{ type: 'content', value: [{ type: 'text', text: ' ' }] }],
    [undefined],
    [null],
    [''],
  ])('are outputs that are not empty: %j', (output) => {
    const result = {
      ...toolResult('look', ''),
      parts: [{ type: 'tool-result', toolCallId: 'call_look', toolName: 'look', output }],
    };
    expect(linesOf(contextOf([user('Go'), toolCall('look'), result])).at(-1)).toBe(
      'tool: gets (no output) (call_look)',
    );
  });

  it('keep what only a host understands, as text, when a user sent it', () => {
    expect(linesOf(contextOf([user([{ type: 'scent', of: 'rain' }])]))).toEqual([
      'user: {"type":"scent","of":"rain"}',
    ]);
  });
});
