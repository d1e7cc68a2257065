import { describe, expect, it } from 'vitest';
import { withoutUnsendable } from '../../src/context/index.ts';
import type { Message, Refused } from '../../src/record/index.ts';
import { assistant, compaction, logOf, setting, user } from '../../src/testing/index.ts';

const PICTURE = { type: 'file', mediaType: 'image/png', data: 'aGVsbG8=' };
const log = logOf(
  user([{ type: 'text', text: 'See' }, PICTURE]),
  assistant('Seen', { model: 'a:one' }),
  setting('x', 1),
  assistant('Seen too', { model: 'b:two' }),
  assistant('And later', { model: 'a:one' }),
);
const [asked, answered, , , later] = log;
const picture: Refused = { about: 'image', model: 'a:one', entry: asked!.id, part: 1 };
const reasoning: Refused = { about: 'reasoning', model: 'a:one', upTo: answered!.seq };

describe('what a provider refused', () => {
  it('is a line of text for its model, counted anew, and everything else is the same', () => {
    const sent = withoutUnsendable(log, [picture], 'a:one');
    expect((sent[0]!.body as Message).parts).toEqual([
      { type: 'text', text: 'See' },
      { type: 'text', text: '[Not sent: this image was refused by the provider.]' },
    ]);
    expect(sent[0]!.tokens).not.toBe(asked!.tokens);
    for (const index of [1, 2, 3, 4]) expect(sent[index]).toBe(log[index]);
  });

  it('is sent to other models', () => {
    const sent = withoutUnsendable(log, [picture, reasoning], 'b:two');
    for (const [index, entry] of sent.entries()) expect(entry).toBe(log[index]);
  });

  it('keeps the name of whose answer holds it', () => {
    const drawn = logOf({ ...assistant('', { model: 'a:one' }), parts: [PICTURE] });
    const refused: Refused = { ...picture, entry: drawn[0]!.id, part: 0 };
    const [sent] = withoutUnsendable(drawn, [refused], 'a:one');
    expect((sent!.body as Message).model).toBe('a:one');
  });

  it('of its reasoning takes the name off its answers up to there', () => {
    const sent = withoutUnsendable(log, [reasoning], 'a:one');
    expect(sent.map(({ body }) => (body as Message).model)).toEqual([
      undefined,
      undefined,
      undefined,
      'b:two',
      'a:one',
    ]);
    expect('model' in sent[1]!.body).toBe(false);
    expect(sent[4]).toBe(later);
  });

  it('in the output of a tool leaves the rest of that output', () => {
    const value = [{ type: 'text', text: 'A plot' }, PICTURE];
    const result = {
      type: 'tool-result',
      toolCallId: 'c',
      toolName: 'plot',
      output: { type: 'content', value },
    };
    const shown = logOf({ kind: 'message', role: 'tool', parts: [result] });
    const refused: Refused = { ...picture, entry: shown[0]!.id, part: 0, item: 1 };
    const [sent] = withoutUnsendable(shown, [refused], 'a:one');
    expect((sent!.body as Message).parts[0]).toMatchObject({
      toolCallId: 'c',
      output: { type: 'content', value: [value[0], { type: 'text' }] },
    });
  });

  it('that is nowhere changes nothing', () => {
    const sent = withoutUnsendable(log, [{ ...picture, part: 9 }], 'a:one');
    expect((sent[0]!.body as Message).parts).toEqual((asked!.body as Message).parts);
    const summary = logOf(compaction({ covers: { from: 1, to: 2 } }));
    expect(withoutUnsendable(summary, [picture], 'a:one')[0]).toBe(summary[0]);
  });
});
