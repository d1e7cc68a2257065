import { expect, it } from 'vitest';
import type { Chat } from '../../../../src/faces/cli/chat/chat.ts';
import { warnWhenFull } from '../../../../src/faces/cli/chat/status-line.ts';

function warningsFor(...loads: NonNullable<Chat['load']>[]): string[] {
  const warnings: string[] = [];
  const screen = { warn: (text: string) => warnings.push(text) } as unknown as Chat['screen'];
  const chat: Parameters<typeof warnWhenFull>[0] = { load: undefined, warned: 0, screen };
  for (const load of loads) {
    chat.load = load;
    warnWhenFull(chat);
  }
  return warnings;
}

const load = (messages: number, recall: number): NonNullable<Chat['load']> => ({
  tokens: messages + recall,
  window: 8000,
  reserve: 2000,
  parts: [
    { part: 'messages', tokens: messages },
    { part: 'recall', tokens: recall },
  ],
});

it('a context that only recall fills up is not full', () => {
  expect(warningsFor(load(4000, 1900))).toEqual([]);
});

it('a context that is full without recall is said to be, once at each mark', () => {
  expect(warningsFor(load(5000, 900), load(5100, 0), load(5500, 500))).toMatchObject([
    expect.stringContaining('Context 83 % full (5,000 of 6,000 tokens'),
    expect.stringContaining('Context 91 % full (5,500 of 6,000 tokens'),
  ]);
});
