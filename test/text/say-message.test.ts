import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Part } from '../../src/record/index.ts';
import { assistant, toolResult } from '../../src/testing/index.ts';
import { readPart, type SayOptions, sayMessage, sayPart, sayValue } from '../../src/text/index.ts';
import { anyJson, anyText } from '../record/arbitraries.ts';

const WORDING: SayOptions = {
  thought: (text) => `thought ${text}`,
  call: ({ name, input }) => `${name}(${input})`,
  result: ({ name, output, failed }) => `${name} ${failed ? 'failed' : 'gave'} ${output}`,
  file: ({ type, name, mediaType }) => `${type} ${name} ${mediaType}`,
  other: (type) => `<${type}>`,
};

const LARGE = { $blob: 'a'.repeat(64), as: 'text', bytes: 70_000, preview: 'Once upon' } as const;

describe('sayMessage', () => {
  it('says nothing but the text of a message unless it has words for the rest', () => {
    const message = assistant('Look.', { reasoning: 'hm', calls: [{ name: 'read', input: { path: 'a' } }] });
    expect(sayMessage(message)).toBe('Look.');
    expect(sayMessage(message, WORDING)).toBe('thought hm\nLook.\nread({"path":"a"})');
  });

  it('joins text parts without a character lost or added', () => {
    fc.assert(
      fc.property(fc.array(anyText), (texts) => {
        const parts = texts.map((text) => ({ type: 'text', text }));
        expect(sayMessage({ parts }, { separator: '' })).toBe(texts.join(''));
      }),
    );
  });

  it('gives every output its words, framed or not', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const json = sayValue(value);
        expect(sayMessage(toolResult('look', value), WORDING)).toBe(`look gave ${json}`);
        expect(sayMessage(toolResult('look', value, { failed: true }), WORDING)).toBe(`look failed ${json}`);
      }),
    );
    const foreign = { type: 'scent', of: 'rain' };
    expect(sayPart({ type: 'tool-result', toolName: 'look', output: foreign }, WORDING)).toBe(
      `look gave ${JSON.stringify(foreign)}`,
    );
    expect(sayPart({ type: 'tool-result', toolName: 'look', output: 'bare' }, WORDING)).toBe(
      'look gave bare',
    );
    expect(sayPart({ type: 'tool-result', toolName: 'look', result: 'old' }, WORDING)).toBe('look gave old');
  });

  it('reads an output that is made of parts like a message, and any other list as JSON', () => {
    const value = [
      { type: 'text', text: 'one' },
      'two',
      { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
      { type: 'scent' },
    ];
    const output = (type: string) => ({ type: 'tool-result', toolName: 'look', output: { type, value } });
    const { result } = WORDING;
    expect(sayPart(output('content'), { result: result! })).toBe('look gave one\ntwo\n[image-data]\n[scent]');
    expect(sayPart(output('json'), WORDING)).toBe(`look gave ${JSON.stringify(value)}`);
  });

  it('calls a denied tool failed, with the reason', () => {
    const denied = (reason?: string) => ({
      type: 'tool-result',
      toolName: 'rm',
      output: { type: 'execution-denied', ...(reason !== undefined && { reason }) },
    });
    expect(sayPart(denied('not today'), WORDING)).toBe('rm failed Denied: not today.');
    expect(sayPart(denied(), WORDING)).toBe('rm failed Denied.');
  });

  it('says a large value in the same words wherever it stands', () => {
    const parts: Part[] = [
      { type: 'text', text: LARGE },
      { ...LARGE, type: 'text' },
      { type: 'tool-call', toolName: 'write', input: LARGE },
      { type: 'tool-call', toolName: 'write', input: { body: LARGE } },
    ];
    expect(
      sayMessage({ parts }, { ...WORDING, large: ({ preview, bytes }) => `${preview} (${bytes})` }),
    ).toBe(
      'Once upon (70000)\nOnce upon (70000)\nwrite(Once upon (70000))\nwrite({"body":"Once upon (70000)"})',
    );
    expect(sayMessage({ parts: parts.slice(0, 2) })).toBe('Once upon\nOnce upon');
  });

  it('names files and unknown parts, and leaves out the notes of providers', () => {
    const parts: Part[] = [
      { type: 'file', filename: 'a.pdf', mediaType: 'application/pdf', data: 'AAAA' },
      { type: 'image', image: 'AAAA' },
      { type: 'scent', of: 'rain' },
      { type: 'custom', kind: 'acme.note' },
      { type: 'step-start' },
    ];
    expect(sayMessage({ parts }, WORDING)).toBe(
      'file a.pdf application/pdf\nimage undefined undefined\n<scent>',
    );
  });
});

describe('sayValue', () => {
  it('gives bytes by their size', () => {
    expect(sayValue({ data: new Uint8Array(3) })).toBe('{"data":"(3 bytes)"}');
  });

  it('shows an object of another program as JSON, whatever key it has', () => {
    expect(sayValue({ $blob: 'mine' })).toBe('{"$blob":"mine"}');
  });
});

describe('readPart', () => {
  it('reads any fields under any type without failing', () => {
    const types = ['text', 'reasoning', 'tool-call', 'tool-result', 'file', 'image', 'custom', 'scent'];
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.dictionary(
          fc.constantFrom('text', 'output', 'result', 'input', 'toolName', 'toolCallId', 'data', '$blob'),
          anyJson,
        ),
        (type, fields) => {
          expect(typeof sayPart({ ...fields, type }, WORDING)).toBe('string');
        },
      ),
    );
  });

  it('pairs a call with its result by an id of text or number', () => {
    expect(readPart({ type: 'tool-call', toolCallId: 7 })).toMatchObject({ id: '7' });
    expect(readPart({ type: 'tool-result', toolCallId: '7' })).toMatchObject({ id: '7' });
    expect(readPart({ type: 'tool-call', toolCallId: {} })).toMatchObject({ id: undefined });
  });
});
