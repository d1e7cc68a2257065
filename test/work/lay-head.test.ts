import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countText } from '../../src/tokens/index.ts';
import { layoutHead } from '../../src/work/request/layout-head.ts';

const rules = Array.from({ length: 40 }, (_, n) => `Rule ${n} of the house holds.`);
const facts = Array.from({ length: 40 }, (_, n) => `- Fact ${n} is known. [abc${n}]`);
const HEAD = [
  { part: 'agent', text: 'Count the rivets.' },
  { part: 'system', text: rules.join('\n') },
  { part: 'memory', text: ['# Project memory', '', 'Known.', '', '## Facts', ...facts].join('\n') },
];

it('leaves out as few facts as have to go, the oldest first, before a rule of the session', () => {
  const whole = layoutHead(HEAD);
  const shorter = layoutHead(HEAD, countText(whole) - 40);
  for (const rule of rules) expect(shorter).toContain(rule);
  expect(shorter).toMatch(/## Facts\n\(\d lines are not shown: the request has no room\.\)\n- Fact \d/);
  expect(shorter).toContain('Fact 39');
  expect(shorter).not.toContain('Fact 0 ');
});

it('keeps the beginning and the end of a system prompt that is too long', () => {
  const short = layoutHead([HEAD[1]!], 120);
  expect(short).toMatch(/^# Session Instructions\n\nRule 0 .*\nRule 1 /);
  expect(short).toMatch(/\n\(\d+ lines are not shown: the request has no room\.\)\n/);
  expect(short).toContain('Rule 39');
  expect(countText(short)).toBeLessThanOrEqual(120);
});

const text = fc.array(fc.string({ unit: 'grapheme', maxLength: 80 }), { maxLength: 30 });
const pieces = fc.array(
  fc.record({
    part: fc.constantFrom('agent', 'system', 'memory'),
    text: text.map((lines) => lines.join('\n')),
  }),
  { maxLength: 4 },
);

it('is within its tokens for every head, and whole where there is room', () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 0, max: 2000 }), (head, maxTokens) => {
      const laid = layoutHead(head, maxTokens);
      expect(countText(laid)).toBeLessThanOrEqual(maxTokens);
      const whole = layoutHead(head);
      if (countText(whole) + 4 * head.length <= maxTokens) expect(laid).toBe(whole);
    }),
  );
});

it('cuts inside of a line only where a single line is too long', () => {
  const laid = layoutHead([{ part: 'system', text: 'word '.repeat(2000) }], 100);
  expect(laid).toMatch(/^# Session Instructions\n\nword word/);
  expect(countText(laid)).toBeLessThanOrEqual(100);
  expect(countText(laid)).toBeGreaterThan(60);
});
