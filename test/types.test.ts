import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { type BlobRef, defineTool, isPart, type Part, type ToolRun } from '../src/index.ts';

// tsc checks the types; what runs here is that the guards are as strict as they claim.

const parts: Part[] = [
  { type: 'text', text: 'Hello.' },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'weigh', input: { grams: 5 } },
  { type: 'text', text: 5 },
  { type: 'host-chart', points: [1, 2] },
];

it('a part of a known type has typed fields behind isPart', () => {
  const texts = parts.filter((part) => isPart(part, 'text'));
  expectTypeOf(texts[0]!.text).toExtend<string | BlobRef>();
  expect(texts.map(({ text }) => text)).toEqual(['Hello.']);
  const calls = parts.filter((part) => isPart(part, 'tool-call'));
  expectTypeOf(calls[0]!.toolName).toEqualTypeOf<string>();
  expectTypeOf(calls[0]!.input).toEqualTypeOf<unknown>();
  expect(calls.map(({ toolName }) => toolName)).toEqual(['weigh']);
});

it('a part of any other type keeps its fields, untyped', () => {
  const chart = parts.find((part) => part.type === 'host-chart')!;
  expectTypeOf(chart.points).toEqualTypeOf<unknown>();
  expectTypeOf(isPart).parameter(1).not.toExtend<'host-chart'>();
  expect(chart).toEqual({ type: 'host-chart', points: [1, 2] });
});

it('a tool has its input typed by its schema', () => {
  const weigh = defineTool({
    inputSchema: z.object({ grams: z.number(), unit: z.enum(['g', 'kg']).default('g') }),
    execute(input, run) {
      expectTypeOf(input).toEqualTypeOf<{ grams: number; unit: 'g' | 'kg' }>();
      expectTypeOf(run).toEqualTypeOf<ToolRun>();
    },
  });
  const plain = defineTool({
    inputSchema: { type: 'object' },
    execute(input) {
      expectTypeOf(input).toEqualTypeOf<unknown>();
    },
  });
  expect([weigh.execute, plain.execute]).toEqual([expect.any(Function), expect.any(Function)]);
});
