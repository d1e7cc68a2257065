import { describe, expect, it } from 'vitest';
import { assistant, compaction, user } from '../../src/testing/index.ts';
import { countText } from '../../src/tokens/index.ts';
import { contextOf } from './states.ts';

const head = [
  { part: 'agent', text: 'You are Sally.' },
  { part: 'project', text: 'A boat.' },
  { part: 'memory', text: 'The port is 8080.' },
];
const bodies = [compaction({ covers: { from: 1, to: 9 } }), user('Hi'), assistant('Hello'), user('Go on')];
const tools = [{ name: 'look', description: 'Looks at a file', inputSchema: { type: 'object' } }];

describe('the parts of a context', () => {
  it('name every piece, in order, and add up to the window', () => {
    const { parts, tokens, window, reserve } = contextOf(bodies, { head, tools });
    expect(parts.map(({ part }) => part)).toEqual([
      'agent',
      'project',
      'memory',
      'tools',
      'pinned',
      'summary',
      'messages',
      'recall',
      'reserve',
      'free',
    ]);
    expect(parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(window);
    expect(parts.slice(0, -2).reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens);
    expect(parts.at(-2)).toEqual({ part: 'reserve', tokens: reserve });
  });

  it('count a piece of the head as what it says', () => {
    const { parts } = contextOf(bodies, { head });
    expect(parts[0]!.tokens - countText('You are Sally.')).toBeLessThanOrEqual(2);
  });

  it('count messages as the log has them, and never again', () => {
    const built = contextOf([user('Hi'), assistant('Hello')]);
    const counted = built.parts.find(({ part }) => part === 'messages')!.tokens;
    expect(counted).toBe(built.tokens);
  });

  it.each([1.37, 0.61])('add up exactly when the estimate is corrected by %d', (ratio) => {
    const plain = contextOf(bodies, { head, tools });
    const { parts, tokens } = contextOf(bodies, {
      head,
      tools,
      budget: { correct: (count) => count * ratio },
    });
    expect(tokens).toBe(Math.ceil(plain.tokens * ratio));
    expect(parts.slice(0, -2).reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens);
    expect(parts.every((part) => Number.isInteger(part.tokens) && part.tokens >= 0)).toBe(true);
  });

  it('put pieces of one name together', () => {
    const { parts } = contextOf(bodies, {
      head: [...head, { part: 'memory', text: 'And the host is here.' }],
    });
    expect(parts.filter(({ part }) => part === 'memory')).toHaveLength(1);
  });

  it('send the head word for word, in its order', () => {
    expect(contextOf(bodies, { head }).instructions).toBe('You are Sally.\n\nA boat.\n\nThe port is 8080.');
  });
});
