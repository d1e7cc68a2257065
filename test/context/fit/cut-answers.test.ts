import { describe, expect, it } from 'vitest';
import { cutAnswers } from '../../../src/context/index.ts';
import type { EntryBody } from '../../../src/record/index.ts';
import { assistant, logOf, setting, toolCall, toolResult, user } from '../../../src/testing/index.ts';

const CUT = { status: 'interrupted' } as const;
const cutCall = (id: string): EntryBody => ({ ...toolCall('run', {}, { id }), ...CUT });

/** Their places in the log. */
function cut(...bodies: EntryBody[]): number[] {
  const log = logOf(...bodies);
  const hidden = cutAnswers(log);
  return log.flatMap(({ id }, index) => (hidden.has(id) ? [index] : []));
}

describe('answers that stopped halfway', () => {
  it.each<[string, EntryBody[], number[]]>([
    ['half an answer', [user('Go'), assistant('I was about', CUT)], [1]],
    ['half a call with its result', [user('Go'), cutCall('a'), toolResult('run', '1', { id: 'a' })], [1, 2]],
    [
      'several of them, and what stands between',
      [user('Go'), cutCall('a'), setting('x', 1), toolResult('run', '1', { id: 'a' }), assistant('So', CUT)],
      [1, 3, 4],
    ],
    [
      'what follows a whole step of the same turn',
      [
        user('Go'),
        toolCall('run', {}, { id: 'a' }),
        toolResult('run', '1', { id: 'a' }),
        assistant('So', CUT),
      ],
      [3],
    ],
  ])('are %s', (_, bodies, expected) => expect(cut(...bodies)).toEqual(expected));

  it.each<[string, EntryBody[]]>([
    ['were followed by a whole one', [user('Go'), assistant('I was', CUT), assistant('Done')]],
    [
      'belong to an earlier question',
      [user('Go'), assistant('I was', CUT), user('Go on'), assistant('Done')],
    ],
    ['are whole', [user('Go'), toolCall('run', {}, { id: 'a' }), toolResult('run', '1', { id: 'a' })]],
  ])('are none that %s', (_, bodies) => expect(cut(...bodies)).toEqual([]));

  it('take no result along that also answers another call', () => {
    const [first, second] = [toolResult('run', '1', { id: 'a' }), toolResult('run', '2', { id: 'b' })];
    const both = { ...first, parts: [...first.parts, ...second.parts] };
    expect(cut(user('Go'), cutCall('a'), both)).toEqual([1]);
  });
});
