import { describe, expect, it } from 'vitest';
import type { Part } from '../../../src/record/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { contextOf, linesOf, marksOf } from '../states.ts';

/** A tool that the provider ran itself. */
const ran = { toolCallId: 's', toolName: 'web_search' };
const searched = { type: 'tool-call', ...ran, input: {}, providerExecuted: true };
const found = { type: 'tool-result', ...ran, output: { type: 'json', value: ['hit'] } };

describe('tool calls and their results', () => {
  it('go out as they were said when all is well', () => {
    const built = contextOf([
      user('Look'),
      toolCall('look', {}, { id: 'a' }),
      toolResult('look', 'found', { id: 'a' }),
      assistant('Done'),
    ]);
    expect(linesOf(built)).toEqual([
      'user: Look',
      'assistant: calls look (a)',
      'tool: gets found (a)',
      'assistant: Done',
    ]);
    expect(built.leftOut).toEqual([]);
  });

  it('stand together even with a message in between', () => {
    const built = contextOf([
      user('Look'),
      toolCall('look', {}, { id: 'a' }),
      user('And hurry'),
      toolResult('look', 'found', { id: 'a' }),
    ]);
    expect(linesOf(built)).toEqual([
      'user: Look',
      'assistant: calls look (a)',
      'tool: gets found (a)',
      'user: And hurry',
    ]);
  });

  it('come in the order of the calls, in one message, however they were answered', () => {
    const calls = assistant('', {
      calls: [
        { name: 'look', id: 'a' },
        { name: 'run', id: 'b' },
        { name: 'look', id: 'c' },
      ],
    });
    const built = contextOf([
      user('Go'),
      calls,
      toolResult('look', '3', { id: 'c' }),
      toolResult('look', '1', { id: 'a' }),
      toolResult('run', '2', { id: 'b' }),
    ]);
    expect(linesOf(built).at(-1)).toBe('tool: gets 1 (a) | gets 2 (b) | gets 3 (c)');
  });

  it('say that they were interrupted when no result was written', () => {
    const built = contextOf([user('Go'), toolCall('run', {}, { id: 'a' }), user('What happened?')]);
    expect(linesOf(built)[2]).toMatch(/^tool: gets Interrupted: no result was recorded.*\(a\)$/);
    expect((built.messages[2]!.content[0] as unknown as Part).output).toMatchObject({ type: 'error-text' });
  });

  it('say that they were denied when a person said no', () => {
    const asked = assistant('', { calls: [{ name: 'run', id: 'a' }] });
    const request = { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' };
    const answer = { type: 'tool-approval-response', approvalId: 'p', approved: false, reason: 'too risky' };
    const built = contextOf([
      user('Go'),
      { ...asked, parts: [...asked.parts, request] },
      { kind: 'message', role: 'tool', parts: [answer] },
    ]);
    expect(linesOf(built).at(-1)).toBe('tool: gets Denied by the user: too risky. (a)');
  });

  it('are left out and counted when there is a result but no call', () => {
    const built = contextOf([user('Hi'), toolResult('look', 'from nowhere', { id: 'x' })]);
    expect(linesOf(built)).toEqual(['user: Hi']);
    expect(built.leftOut).toEqual([
      { what: 'tool results', entries: 1, tokens: expect.any(Number), reason: 'without a call' },
    ]);
  });

  it('are left out when the result was written before its call', () => {
    const built = contextOf([
      user('Hi'),
      toolResult('look', 'early', { id: 'a' }),
      toolCall('look', {}, { id: 'a' }),
    ]);
    expect(linesOf(built).at(-1)).toMatch(/gets Interrupted/);
  });

  it('keep the first of two results', () => {
    const built = contextOf([
      user('Go'),
      toolCall('look', {}, { id: 'a' }),
      toolResult('look', 'first', { id: 'a' }),
      toolResult('look', 'second', { id: 'a' }),
    ]);
    expect(linesOf(built).at(-1)).toBe('tool: gets first (a)');
    expect(built.leftOut).toEqual([expect.objectContaining({ reason: 'repeated', entries: 1 })]);
  });

  it('find their own result when a small model gives the same id again', () => {
    const built = contextOf([
      user('1'),
      toolCall('look'),
      user('2'),
      toolCall('look'),
      toolResult('look', 'of the second'),
      user('3'),
    ]);
    const lines = linesOf(built).filter((line) => line.startsWith('tool'));
    expect(lines[0]).toMatch(/Interrupted.*\(call_look\)$/);
    expect(lines[1]).toMatch(/of the second \(call_[0-9a-f]{16}_4\)$/);
  });

  it('get ids and names that every provider takes, unless the model is the one that made them', () => {
    const call = assistant('', {
      calls: [{ name: 'files.read', id: 'functions.read:0' }],
      model: 'local:kimi',
    });
    const bodies = [user('Go'), call, toolResult('files.read', 'ok', { id: 'functions.read:0' })];
    expect(linesOf(contextOf(bodies, { model: 'local:kimi' }))[1]).toBe(
      'assistant: calls files.read (functions.read:0)',
    );
    expect(linesOf(contextOf(bodies, { model: 'anthropic:claude' }))[1]).toMatch(
      /^assistant: calls files_read \(call_[0-9a-f]{16}\)$/,
    );
  });

  it('keep what a provider ran itself in the message, for that model only', () => {
    const body = {
      ...assistant('Found it', { model: 'a:b' }),
      parts: [searched, found, { type: 'text', text: 'Found it' }],
    };
    expect(linesOf(contextOf([user('Search'), body], { model: 'a:b' }))[1]).toBe(
      'assistant: calls web_search (s) | gets ["hit"] (s) | Found it',
    );
    expect(linesOf(contextOf([user('Search'), body], { model: 'c:d' }))[1]).toBe('assistant: Found it');
  });

  it('keep what else names a call that a provider ran', () => {
    const source = { type: 'text', text: 'As found', toolCallId: 's' };
    const body = { ...assistant('', { model: 'a:b' }), parts: [searched, found, source] };
    for (const model of ['a:b', 'c:d'])
      expect(linesOf(contextOf([user('Search'), body], { model }))[1]).toMatch(/As found$/);
  });

  it('cost the same in one message as in several', () => {
    const calls = assistant('', {
      calls: [
        { name: 'look', id: 'a' },
        { name: 'look', id: 'b' },
      ],
    });
    const results = ['a', 'b'].map((id) => toolResult('look', `found ${'much '.repeat(500)}`, { id }));
    const together = { ...results[0]!, parts: results.flatMap(({ parts }) => parts) };
    const [apart, joined] = [results, [together]].map(
      (said) => contextOf([user('Go'), calls, ...said]).tokens,
    );
    expect(Math.abs(joined! - apart!)).toBeLessThan(20);
  });

  it('do not send a call that a provider began and did not finish', () => {
    const body = {
      ...assistant('Searching', { model: 'a:b' }),
      parts: [{ type: 'text', text: 'Searching' }, searched],
    };
    expect(linesOf(contextOf([user('Search'), body], { model: 'a:b' }))[1]).toBe('assistant: Searching');
  });

  it('keep an excluded result back, and say so to the call', () => {
    const bodies = [
      user('Go'),
      toolCall('look', {}, { id: 'a' }),
      toolResult('look', 'secret', { id: 'a' }),
      user('Next'),
    ];
    const excluded = [{ entry: logOf(...bodies)[2]!.id }];
    expect(linesOf(contextOf(bodies, { marks: marksOf({ excluded }) }))).toEqual([
      'user: Go',
      'assistant: calls look (a)',
      'tool: gets The result is excluded from this conversation. (a)',
      'user: Next',
    ]);
  });

  it('leave the result out together with an excluded call', () => {
    const bodies = [
      user('Go'),
      toolCall('look', {}, { id: 'a' }),
      toolResult('look', 'secret', { id: 'a' }),
      user('Next'),
    ];
    const excluded = [{ entry: logOf(...bodies)[1]!.id }];
    const built = contextOf(bodies, { marks: marksOf({ excluded }) });
    expect(linesOf(built)).toEqual(['user: Go', 'user: Next']);
    expect(built.leftOut.map(({ what, reason }) => `${what}: ${reason}`)).toEqual([
      'entries: excluded',
      'tool results: its call is excluded',
    ]);
  });

  it('join two answers in a row, because a call may not follow an answer everywhere', () => {
    const built = contextOf([
      user('Go'),
      assistant('Let me see.'),
      toolCall('look', {}, { id: 'a' }),
      toolResult('look', 'ok', { id: 'a' }),
    ]);
    expect(linesOf(built)).toEqual([
      'user: Go',
      'assistant: Let me see. | calls look (a)',
      'tool: gets ok (a)',
    ]);
  });

  it.each([
    { input: undefined, sent: {} },
    { input: null, sent: {} },
    { input: 'not json', sent: { input: 'not json' } },
    { input: [1], sent: { input: [1] } },
    { input: { path: 'a' }, sent: { path: 'a' } },
  ])('send the arguments $input as the object $sent', ({ input, sent }) => {
    const part = { type: 'tool-call', toolCallId: 'a', toolName: 'look', input };
    const built = contextOf([user('Go'), { kind: 'message', role: 'assistant', parts: [part] }]);
    expect((built.messages[1]!.content[0] as unknown as Part).input).toEqual(sent);
  });
});
