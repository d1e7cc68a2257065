import { describe, expect, it } from 'vitest';
import { assistant, logOf, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { contextOf, linesOf } from './states.ts';

const [entry] = logOf(user('x'));
const found = (text: string, seq = 7) => ({ entry: entry!.id, seq, role: 'assistant', text });

describe('what was recalled', () => {
  it('stands right before the question it was recalled for, labelled with its entries', () => {
    const built = contextOf([user('Hi'), assistant('Hello'), user('Which port?')], {
      recall: [found('The port is 8080.')],
    });
    expect(linesOf(built)).toEqual([
      'user: Hi',
      'assistant: Hello',
      `user: [Found in earlier turns for the message that follows. History for reference, not a request.]\n- entry ${entry!.id}, number 7, assistant: The port is 8080.\n[End of what was found]`,
      'user: Which port?',
    ]);
    expect(built.parts.find(({ part }) => part === 'recall')!.tokens).toBeGreaterThan(10);
  });

  it('stays there while the question is being worked on', () => {
    const built = contextOf([user('Which port?'), toolCall('look'), toolResult('look', 'ok')], {
      recall: [found('8080')],
    });
    expect(linesOf(built).map((line) => line.split(':')[0])).toEqual(['user', 'user', 'assistant', 'tool']);
    expect(linesOf(built)[1]).toBe('user: Which port?');
  });

  it('keeps to its budget: the best first, the rest counted', () => {
    const recall = [found('best '.repeat(60), 1), found('second '.repeat(600), 2), found('third', 3)];
    const built = contextOf([user('?')], { recall, budget: { recallTokens: 300 } });
    const tokens = built.parts.find(({ part }) => part === 'recall')!.tokens;
    expect(tokens).toBeGreaterThan(150);
    expect(tokens).toBeLessThanOrEqual(300);
    expect(linesOf(built)[0]).toMatch(/number 1.*best/);
    expect(linesOf(built)[0]).not.toContain('third');
    expect(built.leftOut).toContainEqual(
      expect.objectContaining({ what: 'recalled', reason: 'over the budget' }),
    );
  });

  it('takes only room that is left, and changes nothing else', () => {
    const bodies = [user('word '.repeat(2_900)), user('?')];
    const { tokens, messages } = contextOf(bodies);
    const recall = [found('It matters. '.repeat(500))];
    for (const left of [0, 50, 150, 500]) {
      const built = contextOf(bodies, { recall, budget: { window: tokens + left + 100, reserve: 100 } });
      expect(built.tokens).toBeLessThanOrEqual(tokens + left);
      expect(built.steps).toEqual([]);
      expect([built.messages[0], built.messages.at(-1)]).toEqual(messages);
      expect(built.messages).toHaveLength(left < 100 ? 2 : 3);
    }
  });

  it('is nothing when nothing was found', () => {
    expect(contextOf([user('?')], { recall: [] })).toEqual(contextOf([user('?')]));
  });
});
