import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BuiltContext, buildContext, countContext } from '../../src/context/index.ts';
import { isThroughlineError } from '../../src/errors.ts';
import { type Entry, type EntryBody, type Message, newEntryId, type Part } from '../../src/record/index.ts';
import { summaryOf } from '../../src/testing/index.ts';
import { anyHistory, entryOf, type History } from './histories.ts';
import { stateOf } from './states.ts';

// The id of a question, of a summary or of an output is made when it is written, so an announcement cannot know it.

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Longer than its room. */
const digest = (entries: readonly Entry[]) => summaryOf(`Digest of ${entries.length} entries. `.repeat(300));

function build({ state, budget, options }: History): BuiltContext | undefined {
  try {
    return buildContext(state, budget, options.digest ? { digest } : {});
  } catch (error) {
    if (isThroughlineError(error, 'head-too-large')) return undefined;
    throw error;
  }
}

/** The history with the newest entries written anew: the same but for their ids. */
function writtenAnew({ state, ...history }: History, newest: number): History {
  const anew = ({ id: _, ...entry }: Entry): Entry => ({ ...entry, id: newEntryId() });
  const kept = Math.max(0, state.frontier.length - newest);
  const frontier = state.frontier.map((entry, index) =>
    index < kept || state.pinned.includes(entry) ? entry : anew(entry),
  );
  return { ...history, state: { ...state, frontier, marks: { pinned: [], excluded: [], removed: [] } } };
}

/** A tokenizer to which the digits of an id matter: each run of digits or letters is a token. */
const countRuns = (text: string): number => text.match(/[0-9]+|[a-z]+/gi)?.length ?? 0;

const withoutIds = (built: BuiltContext | undefined) =>
  built &&
  JSON.stringify([
    built.tokens,
    countContext(built, [], countRuns),
    built.parts,
    built.messages,
    built.steps,
  ]).replaceAll(ID, 'ID');

it('the ids of new entries decide nothing: as much fits beside any of them', () => {
  let tight = 0;
  fc.assert(
    fc.property(anyHistory({ most: 15 }), fc.integer({ min: 1, max: 8 }), (history, newest) => {
      const [one, other] = [writtenAnew(history, newest), writtenAnew(history, newest)].map(build);
      tight += one && one.steps.length > 0 ? 1 : 0;
      expect(withoutIds(other)).toBe(withoutIds(one));
    }),
    { numRuns: 300, endOnFailure: true },
  );
  expect(tight).toBeGreaterThan(30);
}, 300_000);

const say = (role: Message['role'], parts: Part[], model?: string): EntryBody => ({
  kind: 'message',
  role,
  parts,
  ...(model !== undefined && { model }),
});
const asked = say('user', [{ type: 'text', text: 'And now?' }]);
const large = { $blob: '0'.repeat(64), bytes: 90_000, encoding: 'text', preview: 'How it begins' };
const image = { type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' };
const call = (toolCallId: string): Part => ({ type: 'tool-call', toolCallId, toolName: 'look', input: {} });
const result = (toolCallId: string, output: unknown) =>
  say('tool', [{ type: 'tool-result', toolCallId, toolName: 'look', output }]);
const calling = (output: unknown) => [say('assistant', [call('a')]), result('a', output), asked];
const long = 'word '.repeat(9_000);
const MODEL = 'openai:gpt';
const itemId = { providerOptions: { openai: { itemId: 'msg_1' } } };

describe('a line that names its entry is counted alike for every id', () => {
  it.each<[string, readonly EntryBody[], { window: number; maxImages?: number }]>([
    [
      'in the result of a call that gets another id, beside one that is left out to fit',
      [asked, say('assistant', [call('a b'), call('c d')]), result('a b', large), result('c d', long), asked],
      { window: 8_000 },
    ],
    [
      'beside an image over the limit',
      calling({ type: 'content', value: [{ type: 'text', text: large }, image] }),
      { window: 200_000, maxImages: 0 },
    ],
    [
      'in the place of a file that makes no sense',
      calling({ type: 'content', value: [{ ...image, image: '' }] }),
      { window: 200_000 },
    ],
    [
      'in a note of the system',
      [asked, say('system', [{ type: 'text', text: large }]), asked],
      { window: 200_000 },
    ],
    [
      'in a call with the fields of its provider, beside a text that is cut',
      [
        asked,
        say(
          'assistant',
          [
            { type: 'text', text: long },
            { ...call('a'), ...itemId, input: { large } },
          ],
          MODEL,
        ),
        result('a', 'done'),
      ],
      { window: 4_000 },
    ],
  ])('%s', (_, bodies, budget) => {
    const built = Array.from({ length: 20 }, () => {
      const frontier = bodies.map((body, index) => ({ ...entryOf(body, index + 1), id: newEntryId() }));
      return buildContext(stateOf(frontier, { model: MODEL }), budget);
    });
    expect(JSON.stringify(built[0]!.messages)).toMatch(ID);
    expect(new Set(built.map(withoutIds)).size).toBe(1);
  });

  it('in a pin', () => {
    const tokens = Array.from({ length: 20 }, () => {
      const pin = { ...entryOf(say('user', [{ type: 'text', text: large }]), 1), id: newEntryId() };
      return buildContext(stateOf([entryOf(asked, 2)], { pinned: [pin] }), { window: 200_000 }).tokens;
    });
    expect(new Set(tokens).size).toBe(1);
  });
});
