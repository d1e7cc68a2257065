import { describe, expect, it } from 'vitest';
import { buildContext } from '../../../src/context/index.ts';
import { assistant, logOf, system, user } from '../../../src/testing/index.ts';
import { contextOf, marksOf, stateOf } from '../states.ts';

const words = (word: string, count: number) => `${word} `.repeat(count).trim();

describe('a head that is too large', () => {
  it('is said in numbers, and nothing is shortened for it', () => {
    const head = [{ part: 'instructions', text: words('order', 5_000) }];
    expect(() =>
      contextOf([user('Hi')], { head, tools: [{ name: 'look' }], budget: { window: 4_000 } }),
    ).toThrow(
      expect.objectContaining({
        code: 'head-too-large',
        message: expect.stringMatching(
          /does not fit into 3000 tokens \(a window of 4000, less 1000 for the answer\).*head \d{4}, tools \d+, pinned 0, newest message \d+ tokens\. Shorten the instructions/,
        ),
        details: expect.objectContaining({ window: 4_000, reserve: 1_000, room: 3_000, pinned: 0 }),
      }),
    );
  });

  it('costs no digest', () => {
    const head = [{ part: 'instructions', text: words('order', 9_000) }];
    const digest = () => {
      throw new Error('asked for a digest');
    };
    const state = stateOf(logOf(user('One'), assistant(words('two', 3_000)), user('Hi')), { head });
    expect(() => buildContext(state, { window: 4_000 }, { digest })).toThrow(
      expect.objectContaining({ code: 'head-too-large' }),
    );
  });

  it('still leaves room for a question that can be cut', () => {
    const head = [{ part: 'instructions', text: words('order', 2_500) }];
    const built = contextOf([user(words('paste', 9_000))], { head, budget: { window: 4_000 } });
    expect(built.instructions).toBe(words('order', 2_500));
    expect(built.tokens).toBeLessThanOrEqual(3_000);
  });

  it('is not blamed while the question can give way to pins after it', () => {
    const log = logOf(user(words('paste', 2_000)), system('Mind the gap.'), system('And the door.'));
    const marks = marksOf({ pinned: log.slice(1).map(({ id }) => ({ entry: id })) });
    const state = stateOf(log, { marks });
    const whole = buildContext(state, { window: 100_000, reserve: 1 }).tokens;
    for (let window = whole - 80; window <= whole + 1; window++) {
      const sent = JSON.stringify(buildContext(state, { window, reserve: 1 }).messages);
      expect(sent).toContain('Mind the gap.');
      expect(sent).toContain('And the door.');
    }
  });

  it('names the newest message when only its pin keeps it from being cut', () => {
    const log = logOf(user('One'), assistant('two'), user(words('paste', 9_000)));
    const marks = marksOf({ pinned: [{ entry: log[2]!.id }] });
    expect(() => buildContext(stateOf(log, { marks }), { window: 4_000 })).toThrow(
      expect.objectContaining({
        code: 'head-too-large',
        message: expect.stringMatching(
          /newest message \d+ tokens \(pinned\)\. Unpin the newest message \(entry 3\)/,
        ),
      }),
    );
  });
});
