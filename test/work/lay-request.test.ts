import { describe, expect, it } from 'vitest';
import { EMPTY_CHECKPOINT } from '../../src/summary/index.ts';
import { countText } from '../../src/tokens/index.ts';
import { layoutRequest, type RequestParts } from '../../src/work/index.ts';
import { CONTEXT, checkAnyConversation, checkAnyRequest, lines, said } from './any-request.ts';

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
    const { systemPrompt, userPrompt, totalTokens } = layoutRequest(PARTS, 100_000);
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
    const before = layoutRequest(PARTS, 100_000).systemPrompt;
    const after = layoutRequest(
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
    const { systemPrompt } = layoutRequest({ ...PARTS, loop }, 100_000);
    expect(systemPrompt).toMatch(
      /# Recent Conversation[\s\S]*# Loop\n\nIteration 3 is done\. Passed: build\. Failed: test\.\n\nLast error:\nboom$/,
    );
  });

  it.each([
    { added: 'And now?', asked: 'And now?' },
    { added: 'Iteration 12: Make it pass.', asked: 'Make it pass.' },
  ])('does not say "$added" twice when $asked is asked', ({ added, asked }) => {
    const { systemPrompt } = layoutRequest(
      { ...PARTS, messages: [...PARTS.messages, said(3, 'user', added)], userMessage: asked },
      100_000,
    );
    expect(systemPrompt).not.toContain(added);
    const other = layoutRequest(
      { ...PARTS, messages: [...PARTS.messages, said(3, 'user', added)], userMessage: 'now?' },
      100_000,
    );
    expect(other.systemPrompt).toContain(added);
  });

  it('leaves out the oldest messages first and says how many', () => {
    const texts = Array.from({ length: 200 }, (_, n) => `message ${n} ${'word '.repeat(20)}`.trimEnd());
    const messages = texts.map((text, n) => said(n + 1, n % 2 ? 'assistant' : 'user', text));
    const { systemPrompt, totalTokens } = layoutRequest({ ...PARTS, messages }, 2000);
    expect(totalTokens).toBeLessThanOrEqual(2000);
    expect(systemPrompt).toContain('message 199 ');
    expect(systemPrompt).not.toContain('message 0 ');
    const shown = texts.filter((text) => systemPrompt.includes(text)).length;
    expect(systemPrompt).toContain(`(${200 - shown} earlier messages are not shown.)`);
  });

  it('cuts a message that is too long, and says which entry has the whole', () => {
    const messages = [
      said(1, 'user', 'Build it.'),
      said(2, 'assistant', `I did. ${'word '.repeat(5000)}End.`),
    ];
    const { systemPrompt, totalTokens } = layoutRequest({ ...PARTS, messages }, 2000);
    expect(totalTokens).toBeGreaterThan(1500);
    expect(systemPrompt).toMatch(
      new RegExp(
        `\\*\\*User\\*\\*: Build it\\.\\n\\n\\*\\*Assistant\\*\\*: I did\\. word [\\s\\S]*Entry ${messages[1]!.id} has the whole[\\s\\S]*word End\\.$`,
      ),
    );
  });

  it('keeps a pinned message word for word, or is refused, however long the question is', () => {
    const messages = [
      said(1, 'user', 'Never deploy on Fridays.'),
      said(2, 'assistant', 'word '.repeat(600)),
      said(3, 'user', 'word '.repeat(600)),
    ];
    const marks = { pinned: [{ entry: messages[0]!.id }], excluded: [], removed: [] };
    const shown = Array.from({ length: 100 }, (_, n) => {
      const parts = { ...PARTS, messages, marks, userMessage: 'word '.repeat(n * 10) };
      try {
        return layoutRequest(parts, 1000).systemPrompt.includes('**User**: Never deploy on Fridays.');
      } catch (error) {
        expect(error).toMatchObject({ code: 'head-too-large' });
        return 'refused';
      }
    });
    expect(shown).not.toContain(false);
    expect(shown.filter((is) => is === true).length).toBeGreaterThan(70);
  });

  it('shows a pinned message that a compaction covers before the conversation, as a pin', () => {
    const pinned = [said(1, 'user', 'Never deploy on Fridays.')];
    const marks = { pinned: [{ entry: pinned[0]!.id }], excluded: [], removed: [] };
    const messages = [said(7, 'user', 'Build it.')];
    expect(layoutRequest({ ...PARTS, messages, pinned, marks }, 100_000).systemPrompt).toMatch(
      /# Recent Conversation\n\n\[Pinned: [^\]]*\]\n\[Pinned entry [^\]]*\]\n\*\*User\*\*: Never deploy on Fridays\.\n\n\*\*User\*\*: Build it\.$/,
    );
  });

  it('shows the overviews of summaries behind the lists of the checkpoint', () => {
    const checkpoint = { ...PARTS.checkpoint, overview: ['The form was built.', 'Then it was tested.'] };
    expect(layoutRequest({ ...PARTS, checkpoint }, 100_000).systemPrompt).toContain(
      '- the key\n\n## Overview:\n\n- The form was built.\n- Then it was tested.\n\n# Recent Conversation',
    );
  });

  it('shows every line of the checkpoint while the budget has room for it', () => {
    const texts = Array.from(
      { length: 1500 },
      (_, n) => `part ${n} of the system is built by plan ${n}, not by plan ${n + 1}.`,
    );
    const { systemPrompt, totalTokens } = layoutRequest(
      { ...PARTS, checkpoint: { ...PARTS.checkpoint, decisions: lines(...texts) } },
      100_000,
    );
    expect(totalTokens).toBeGreaterThan(30_000);
    expect(texts.filter((text) => !systemPrompt.includes(`- ${text}`))).toEqual([]);
  });

  it('keeps decisions and blockers when there is no room for everything that was done', () => {
    const checkpoint = {
      ...PARTS.checkpoint,
      completed: lines(...Array.from({ length: 500 }, (_, n) => `finished part number ${n}`)),
      decisions: lines('no cookies', 'Redis it is'),
    };
    const { systemPrompt } = layoutRequest({ ...PARTS, checkpoint }, 2000);
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
    expect(layoutRequest({ ...PARTS, shown }, 100_000).systemPrompt).toContain(
      '# Checkpoint of dev_auth (read-only)\n\n## Completed:\n\n- their form',
    );
  });

  it('that nothing but the role fits into is refused in numbers', () => {
    expect(() => layoutRequest({ ...PARTS, role: 'word '.repeat(500) }, 400)).toThrow(
      expect.objectContaining({ code: 'head-too-large', details: expect.objectContaining({ budget: 400 }) }),
    );
  });
});

it('a request is never over its budget, whatever it is made of', () => checkAnyRequest(30));

it('a request holds every pin, no excluded message, and says of each other message whether it is shown', () =>
  checkAnyConversation(60));
