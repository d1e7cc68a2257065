import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FormatName, formatNamed } from '../../src/transcripts/index.ts';
import { anyJson, anyText } from '../record/arbitraries.ts';
import * as claude from './formats/claude-code/lines.ts';
import * as codex from './formats/codex/rollouts.ts';
import * as pi from './formats/pi/records.ts';
import { roundTrip } from './transfer.ts';

type Fields = Record<string, unknown>;

const id = fc.constantFrom('a1', 'b2', 'c|3');
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
/** A block of one type with the fields it should have, others, or none. */
const block = (type: string, fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .record(
      { ...fields, extra: sometimes(anyJson), cache_control: sometimes(anyJson) },
      { noNullPrototype: true, requiredKeys: [] },
    )
    .map((value): Fields => ({ type, ...value }));

const CLAUDE = fc.oneof(
  block('text', { text: fc.oneof(anyText, anyJson) }),
  block('thinking', { thinking: anyText, signature: sometimes(anyJson) }),
  block('redacted_thinking', { data: anyText }),
  block('tool_use', { id, name: anyText, input: anyJson }),
  block('tool_result', { tool_use_id: id, content: anyJson, is_error: sometimes(fc.boolean()) }),
  block('tool_result', {
    tool_use_id: id,
    content: fc.array(block('text', { text: anyText }), { maxLength: 3 }),
  }),
  block('image', { source: anyJson }),
  block('image', { source: fc.constant({ type: 'base64', media_type: 'image/png', data: 'AAAA' }) }),
  block('server_tool_use', { id, input: anyJson }),
  anyJson,
);

const PI = fc.oneof(
  block('text', { text: fc.oneof(anyText, anyJson), textSignature: sometimes(anyText) }),
  block('thinking', {
    thinking: anyText,
    thinkingSignature: sometimes(anyJson),
    redacted: sometimes(fc.boolean()),
  }),
  block('toolCall', { id, name: anyText, arguments: anyJson }),
  block('image', { data: anyText, mimeType: anyText }),
  anyJson,
);

const CODEX = fc.oneof(
  block('input_text', { text: fc.oneof(anyText, anyJson) }),
  block('output_text', { text: anyText, annotations: sometimes(anyJson) }),
  block('input_image', { image_url: fc.oneof(anyText, anyJson) }),
  anyJson,
);

const ITEM = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('user', 'assistant', 'developer', 'tool'),
      fc.oneof(fc.array(CODEX, { maxLength: 3 }), anyJson),
    )
    .map(([role, content]): Fields => ({ type: 'message', role, content })),
  block('reasoning', {
    id: anyText,
    summary: anyJson,
    encrypted_content: sometimes(fc.oneof(anyText, anyJson)),
  }),
  block('function_call', {
    call_id: id,
    name: anyText,
    arguments: fc.oneof(
      anyText,
      anyJson.map((value) => JSON.stringify(value)),
    ),
  }),
  block('custom_tool_call', { call_id: id, name: anyText, input: fc.oneof(anyText, anyJson) }),
  block('local_shell_call', { call_id: id, action: anyJson }),
  block('function_call_output', { call_id: id, output: fc.oneof(anyText, anyJson) }),
  block('hologram', { value: anyJson }),
);

const FILES: Record<'claude-code' | 'pi' | 'codex', fc.Arbitrary<string>> = {
  'claude-code': fc
    .array(fc.tuple(fc.nat(5), fc.oneof(fc.array(CLAUDE, { maxLength: 4 }), anyText, anyJson), fc.nat(2)), {
      maxLength: 8,
    })
    .map((lines) => {
      const file = claude.createFile();
      file.prompt('start');
      for (const [kind, content, n] of lines) {
        if (kind < 3) file.add('user', { message: { role: 'user', content } });
        else if (kind < 5)
          file.add('assistant', {
            message: { role: 'assistant', id: `msg_${n}`, model: 'm', content, usage: { output_tokens: n } },
          });
        else file.add('attachment', { attachment: { type: 'queued_command', prompt: content } });
      }
      return file.text();
    }),
  pi: fc
    .array(
      fc.tuple(
        fc.constantFrom('user', 'assistant', 'toolResult', 'custom', 'bashExecution', 'system', 'odd'),
        fc.oneof(fc.array(PI, { maxLength: 4 }), anyText, anyJson),
      ),
      { maxLength: 8 },
    )
    .map((lines) => {
      const file = pi.createFile();
      for (const [role, content] of lines)
        file.say(role, {
          content,
          ...(role === 'toolResult' && { toolCallId: 'a1', toolName: 'x', isError: false }),
        });
      return file.text();
    }),
  codex: fc.array(ITEM, { maxLength: 10 }).map((items) => {
    const file = codex.createRollout();
    for (const item of items) file.item(item);
    return file.text();
  }),
};

describe.each(Object.keys(FILES) as (keyof typeof FILES)[])('%s', (name) => {
  it('is the same log after it was written and read again, whatever its messages hold', async () => {
    const format = formatNamed(name as FormatName);
    const [reader, writer] = [await format.reader(), await format.writer!()];
    await fc.assert(
      fc.asyncProperty(FILES[name], async (text) => {
        const { first, second } = await roundTrip({ reader, writer, format: name }, text);
        expect(second).toEqual(first);
      }),
      { numRuns: 120 },
    );
  });
});
