import { describe, expect, it } from 'vitest';
import { chooseCut, chooseCutInside } from '../../src/compaction/choose-cut.ts';
import type { EntryBody } from '../../src/record/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../src/testing/index.ts';

// Every message costs one token here, so that the numbers can be read off the conversation.
const cheap = (...bodies: EntryBody[]) => logOf(...bodies).map((entry) => ({ ...entry, tokens: 1 }));
const talk = cheap(user('a'), assistant('b'), user('c'), assistant('d'), user('e'), assistant('f'));

describe('where the kept tail starts', () => {
  it.each([
    { keep: { tokens: 1 }, cut: 4, why: 'the newest turn always stays' },
    { keep: { tokens: 2 }, cut: 4, why: 'the last turn fits' },
    { keep: { tokens: 3 }, cut: 4, why: 'half a turn is not kept' },
    { keep: { tokens: 4 }, cut: 2, why: 'two turns fit' },
    { keep: { tokens: 99 }, cut: 0, why: 'everything fits' },
    { keep: { messages: 0 }, cut: 4, why: 'the newest turn always stays' },
    { keep: { messages: 3 }, cut: 2, why: 'a count keeps at least that many, in whole turns' },
    { keep: { messages: 4 }, cut: 2, why: 'four messages are two turns' },
    { keep: { turns: 2 }, cut: 2, why: 'turns are counted from the newest' },
    { keep: { turns: 9 }, cut: 0, why: 'there are not so many' },
    { keep: { messages: 2, turns: 2 }, cut: 2, why: 'whatever any rule keeps is kept' },
  ])('keeping $keep cuts at $cut, because $why', ({ keep, cut }) => {
    expect(chooseCut(talk, keep)).toBe(cut);
  });

  it('is the start without a question', () => {
    expect(chooseCut(cheap(assistant('hello'), assistant('again')), { messages: 0 })).toBe(0);
  });
});

describe('a cut inside a turn', () => {
  const loop = cheap(
    toolCall('read', {}, { id: '1' }),
    toolResult('read', 'x', { id: '1' }),
    assistant('', {
      calls: [
        { name: 'a', id: '2' },
        { name: 'b', id: '3' },
      ],
    }),
    toolResult('a', 'x', { id: '2' }),
    toolResult('b', 'x', { id: '3' }),
    assistant('done'),
  );

  it.each([
    { messages: 0, cut: 6 },
    { messages: 1, cut: 5 },
    { messages: 2, cut: 2 },
    { messages: 3, cut: 2 },
    { messages: 5, cut: 0 },
  ])(
    'that keeps $messages messages falls at $cut, never between a call and its result',
    ({ messages, cut }) => {
      expect(chooseCutInside(loop, { messages })).toBe(cut);
    },
  );
});
