import { modelMessageSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { checkBody, type Message } from '../../src/record/index.ts';
import {
  assistant,
  compaction,
  conversation,
  fixedClock,
  foreign,
  logOf,
  mark,
  restoration,
  setting,
  summaryOf,
  system,
  toolCall,
  toolResult,
  user,
} from '../../src/testing/index.ts';

const messages: Message[] = [
  user('hello'),
  user([
    { type: 'text', text: 'look' },
    { type: 'file', mediaType: 'image/png', data: 'aGk=' },
  ]),
  assistant('hi', { reasoning: 'a greeting', usage: { inputTokens: 1, outputTokens: 2 }, model: 'm' }),
  assistant('Let me look.', { calls: [{ name: 'read' }, { name: 'list', input: { in: '.' }, id: 'c2' }] }),
  toolCall('read', { path: 'a.ts' }),
  toolResult('read', 'text'),
  toolResult('list', { files: [] }, { id: 'c2' }),
  toolResult('read', 'no such file', { failed: true }),
];

describe('the builders', () => {
  const notes = [
    system('Be brief.'),
    mark('pinned', { from: 1, to: 2 }),
    mark('excluded', '0199f3a0-0000-7000-8000-000000000000'),
    setting('title', 'A title'),
    compaction({ covers: { from: 1, to: 2 } }),
    compaction({
      covers: { from: 1, to: 2 },
      level: 2,
      summary: summaryOf('x'),
      by: { kind: 'model', model: 'm' },
    }),
    restoration('parent'),
    restoration('parent', summaryOf('x')),
    foreign('hologram', { depth: 3 }),
  ];

  it.each([...messages, ...notes].map((body, index) => [index, body] as const))(
    'make a valid body: %i',
    (_, body) => {
      expect(checkBody(body)).toBe(body);
    },
  );

  it.each(messages.map((message, index) => [index, message] as const))(
    'make messages that the AI SDK takes as they are: %i',
    (_, { role, parts }) => {
      expect(modelMessageSchema.safeParse({ role, content: parts })).toMatchObject({ success: true });
    },
  );

  it('pair a call with its result by the name of the tool', () => {
    const [call] = toolCall('read').parts;
    const [result] = toolResult('read', 'x').parts;
    expect(result?.toolCallId).toBe(call?.toolCallId);
  });
});

describe('a conversation', () => {
  it('has new ids, so that it can be appended again', () => {
    const first = conversation(user('a'), assistant('b'));
    const second = conversation(user('a'), assistant('b'));
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(4);
  });

  it('as a log is numbered from 1, the same every time', () => {
    const log = logOf(user('a'), setting('tag', 'x'), assistant('b'));
    expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(log.map(({ tokens }) => tokens > 0)).toEqual([true, false, true]);
    expect(logOf(user('a'), setting('tag', 'x'), assistant('b'))).toEqual(log);
  });
});

it('a fixed clock stands still until it is moved', () => {
  const { now, advance } = fixedClock(1000);
  expect([now(), now()]).toEqual([1000, 1000]);
  advance(5);
  expect(now()).toBe(1005);
});
