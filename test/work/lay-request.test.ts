import { describe, expect, it } from 'vitest';
import { EMPTY_CHECKPOINT } from '../../src/summary/index.ts';
import { countText } from '../../src/tokens/index.ts';
import { layRequest, type RequestParts } from '../../src/work/index.ts';
import { CONTEXT, checkAnyRequest, lines, said } from './any-request.ts';

const PARTS: RequestParts = {
  role: '# Your Role\n\nYou are the developer.',
  context: CONTEXT,
  shown: [],
  checkpoint: {
    ...EMPTY_CHECKPOINT,
    completed: lines('the form'),
    pending: lines('the check'),
    decisions: lines('no cookies'),
    blockers: lines('the key'),
  },
  messages: [said(1, 'user', 'Build it.'), said(2, 'assistant', 'I did.')],
  userMessage: 'And now?',
};

describe('a request', () => {
  it('is role, context, checkpoint and recent conversation, then the question', () => {
    const { systemPrompt, userPrompt, totalTokens } = layRequest(PARTS, 100_000);
    const places = [
      '# Your Role',
      '# Context',
      'Use tabs.',
      '# Checkpoint (Work Progress)',
      '# Recent Conversation',
    ].map((part) => systemPrompt.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBe(0);
    expect(systemPrompt).toContain(
      '## Completed:\n\n- the form\n\n## Still To Do:\n\n- the check\n\n## Key Decisions:\n\n- no cookies\n\n## Current Blockers:\n\n- the key',
    );
    expect(systemPrompt.endsWith('**User**: Build it.\n\n**Assistant**: I did.')).toBe(true);
    expect(userPrompt).toBe('And now?');
    expect(totalTokens).toBe(countText(systemPrompt) + countText(userPrompt));
  });

  it('begins with the same words as the one before, as long as only something was said', () => {
    const before = layRequest(PARTS, 100_000).systemPrompt;
    const after = layRequest(
      { ...PARTS, messages: [...PARTS.messages, said(3, 'user', 'And now?')], userMessage: 'Next.' },
      100_000,
    );
    expect(after.systemPrompt.startsWith(before)).toBe(true);
  });

  it('puts what changes with every iteration last', () => {
    const loop = {
      kind: 'loop' as const,
      iteration: 3,
      passed: ['build'],
      failed: ['test'],
      lastError: 'boom',
    };
    const { systemPrompt } = layRequest({ ...PARTS, loop }, 100_000);
    expect(systemPrompt).toMatch(
      /# Recent Conversation[\s\S]*# Loop\n\nIteration 3 is done\. Passed: build\. Failed: test\.\n\nLast error:\nboom$/,
    );
  });

  it.each([
    { added: 'And now?', asked: 'And now?' },
    { added: 'Iteration 12: Make it pass.', asked: 'Make it pass.' },
  ])('does not say "$added" twice when $asked is asked', ({ added, asked }) => {
    const { systemPrompt } = layRequest(
      { ...PARTS, messages: [...PARTS.messages, said(3, 'user', added)], userMessage: asked },
      100_000,
    );
    expect(systemPrompt).not.toContain(added);
    const other = layRequest(
      { ...PARTS, messages: [...PARTS.messages, said(3, 'user', added)], userMessage: 'now?' },
      100_000,
    );
    expect(other.systemPrompt).toContain(added);
  });

  it('leaves out the oldest messages first and says how many', () => {
    const messages = Array.from({ length: 200 }, (_, n) =>
      said(n + 1, n % 2 ? 'assistant' : 'user', `message ${n} ${'word '.repeat(20)}`),
    );
    const { systemPrompt, totalTokens } = layRequest({ ...PARTS, messages }, 2000);
    expect(totalTokens).toBeLessThanOrEqual(2000);
    expect(systemPrompt).toContain('message 199 ');
    expect(systemPrompt).not.toContain('message 0 ');
    const shown = messages.filter(({ text }) => systemPrompt.includes(text)).length;
    expect(systemPrompt).toContain(`(${200 - shown} earlier messages are not shown.)`);
  });

  it('keeps decisions and blockers when there is no room for everything that was done', () => {
    const checkpoint = {
      ...PARTS.checkpoint,
      completed: lines(...Array.from({ length: 500 }, (_, n) => `finished part number ${n}`)),
      decisions: lines('no cookies', 'Redis it is'),
    };
    const { systemPrompt } = layRequest({ ...PARTS, checkpoint }, 2000);
    for (const text of [
      'no cookies',
      'Redis it is',
      'the key',
      'finished part number 499',
      'more, not shown',
    ])
      expect(systemPrompt).toContain(text);
  });

  it('shows the checkpoint of another session as something to read', () => {
    const shown = [
      { session: 'dev_auth', checkpoint: { ...EMPTY_CHECKPOINT, completed: lines('their form') } },
    ];
    expect(layRequest({ ...PARTS, shown }, 100_000).systemPrompt).toContain(
      '# Checkpoint of dev_auth (read-only)\n\n## Completed:\n\n- their form',
    );
  });

  it('that nothing but the role fits into is refused in numbers', () => {
    expect(() => layRequest({ ...PARTS, role: 'word '.repeat(500) }, 400)).toThrow(
      expect.objectContaining({ code: 'head-too-large', details: expect.objectContaining({ budget: 400 }) }),
    );
  });
});

it('a request is never over its budget, whatever it is made of', () => checkAnyRequest(30));
