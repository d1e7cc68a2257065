import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildContext, firstDifference } from '../../src/context/index.ts';
import type { EntryBody } from '../../src/record/index.ts';
import { assistant, compaction, logOf, toolResult, user } from '../../src/testing/index.ts';
import { anyText } from '../record/arbitraries.ts';
import { stateOf } from './states.ts';

/** Turns as an agent drives them: a question, any number of rounds of calls with all their results, an answer. */
const anyTurn = fc.record({
  ask: anyText,
  rounds: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
  say: anyText,
});
type Turn = typeof anyTurn extends fc.Arbitrary<infer T> ? T : never;

function bodiesOf({ ask, rounds, say }: Turn, index: number): EntryBody[] {
  const loops = rounds.flatMap((calls, round) => {
    const ids = Array.from({ length: calls }, (_, n) => `c${index}_${round}_${n}`);
    return [
      assistant('', { calls: ids.map((id) => ({ name: 'look', id })), model: 'a:b', reasoning: 'Hm' }),
      ...ids.map((id) => toolResult('look', { id }, { id })),
    ];
  });
  return [user(ask), ...loops, assistant(`. ${say}`, { model: 'a:b' })];
}

/** The lengths of the log at which a request goes out: after a question, and after the last result of a round. */
function requestsIn(bodies: readonly EntryBody[]): number[] {
  const roleAt = (index: number) => {
    const body = bodies[index];
    return body?.kind === 'message' ? body.role : undefined;
  };
  return bodies.flatMap((_, index) => {
    const asks = roleAt(index) === 'user' || (roleAt(index) === 'tool' && roleAt(index + 1) !== 'tool');
    return asks ? [index + 1] : [];
  });
}

describe('the prefix', () => {
  it('of each request is the request before, byte for byte, while nothing has to be shortened', () => {
    fc.assert(
      fc.property(fc.array(anyTurn, { minLength: 1, maxLength: 6 }), (turns) => {
        const bodies = turns.flatMap(bodiesOf);
        const log = logOf(compaction({ covers: { from: 1, to: 9 } }), ...bodies);
        const requests = requestsIn(bodies).map((length) =>
          buildContext(stateOf(log.slice(0, length + 1), { model: 'a:b' }), { window: 1_000_000 }),
        );
        for (const [index, later] of requests.entries()) {
          const earlier = requests[index - 1];
          if (!earlier) continue;
          const same = later.messages.slice(0, earlier.messages.length);
          expect(JSON.stringify(same)).toBe(JSON.stringify(earlier.messages));
          expect(firstDifference(earlier.prefix, later.prefix)).toBeUndefined();
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is the same after reading the log again, in another process or on another day', () => {
    const bodies = [user('Hi'), assistant('Hello'), user('Go on')];
    const build = () => buildContext(stateOf(logOf(...structuredClone(bodies))), { window: 8_000 });
    expect(build()).toEqual(build());
  });

  const turns = (count: number) =>
    Array.from({ length: count }, (_, n) => [
      user(`question ${n}`),
      assistant('', { calls: [{ name: 'look', id: `c${n}` }] }),
      toolResult('look', `output ${n} `.repeat(100), { id: `c${n}` }),
      assistant(`answer ${n} `.repeat(20)),
    ]).flat();

  it('stays for many turns while outputs are being stubbed, because room is freed in steps', () => {
    const log = logOf(...turns(60));
    let breaks = 0;
    let before: string[] = [];
    for (let length = 61; length <= log.length; length += 4) {
      const { prefix, steps } = buildContext(stateOf(log.slice(0, length)), { window: 20_000 });
      if (steps.length > 0 && firstDifference(before, prefix) !== undefined) breaks++;
      before = prefix;
    }
    expect(breaks).toBeGreaterThan(0);
    expect(breaks).toBeLessThan(12);
  });

  it('does not change with recalled messages, except right before the question', () => {
    const log = logOf(...turns(3), user('now?'));
    const recall = [{ entry: log[0]!.id, seq: 1, role: 'user', text: 'found' }];
    const without = buildContext(stateOf(log), { window: 20_000 });
    const withRecall = buildContext(stateOf(log, { recall }), { window: 20_000 });
    expect(firstDifference(without.prefix, withRecall.prefix)).toBe(without.prefix.length - 1);
  });

  it('tells where it broke: at the head, at the tools, or at a message', () => {
    const build = (text: string, tool: string, first: string) =>
      buildContext(
        stateOf(logOf(user(first), assistant('Hello'), user('Go on')), {
          head: [{ part: 'agent', text }],
          tools: [{ name: tool }],
        }),
        { window: 8_000 },
      ).prefix;
    const prefix = build('Be kind.', 'look', 'Hi');
    expect(prefix).toHaveLength(4);
    expect(firstDifference(prefix, build('Be kind.', 'look', 'Hi'))).toBeUndefined();
    expect(firstDifference(prefix, build('Be brief.', 'look', 'Hi'))).toBe(0);
    expect(firstDifference(prefix, build('Be kind.', 'run', 'Hi'))).toBe(0);
    expect(firstDifference(prefix, build('Be kind.', 'look', 'Hey'))).toBe(1);
    expect(firstDifference(prefix, prefix.slice(0, 2))).toBeUndefined();
  });
});
