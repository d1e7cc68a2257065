import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/record/index.ts';
import { assistant, toolResult, user } from '../../src/testing/index.ts';
import { contextOf } from './states.ts';

const signature = { anthropic: { signature: 'sig' } };
const thought = { type: 'reasoning', text: 'Hm.', providerOptions: signature };
const unsigned = { type: 'reasoning', text: 'Hm.' };
const said = { type: 'text', text: 'Yes.', providerOptions: { openai: { itemId: 'msg_1' } } };

function answer(parts: Message['parts'], fields: Partial<Message> = {}): Message {
  return { ...assistant('', fields as never), parts };
}

describe('reasoning', () => {
  it.each([
    {
      why: 'the same model gets it back byte for byte',
      by: 'a:one',
      to: 'a:one',
      parts: [thought, said],
      sent: [thought, said],
    },
    {
      why: 'a new model of the vendor does not',
      by: 'a:one',
      to: 'a:two',
      parts: [thought, said],
      sent: [{ type: 'text', text: 'Yes.' }],
    },
    {
      why: 'a new vendor does not',
      by: 'a:one',
      to: 'b:one',
      parts: [thought, said],
      sent: [{ type: 'text', text: 'Yes.' }],
    },
    {
      why: 'nobody knows who thought it',
      by: undefined,
      to: 'a:one',
      parts: [thought, said],
      sent: [{ type: 'text', text: 'Yes.' }],
    },
    {
      why: 'nobody knows either',
      by: undefined,
      to: undefined,
      parts: [thought, said],
      sent: [{ type: 'text', text: 'Yes.' }],
    },
    {
      why: 'nobody knows where it goes',
      by: 'a:one',
      to: undefined,
      parts: [thought, said],
      sent: [{ type: 'text', text: 'Yes.' }],
    },
    {
      why: 'a model that does not sign thinks in the open',
      by: 'a:one',
      to: 'a:one',
      parts: [unsigned, said],
      sent: [unsigned, said],
    },
    { why: 'nothing followed it', by: 'a:one', to: 'a:one', parts: [said, thought], sent: [said] },
  ])('is sent as $sent, because $why', ({ by, to, parts, sent }) => {
    const built = contextOf([user('?'), answer(parts, { model: by }), user('!')], {
      ...(to && { model: to }),
    });
    expect(built.messages[1]!.content).toEqual(sent);
  });

  it('that was interrupted before it was signed is left out, with what refers to it', () => {
    const built = contextOf(
      [user('?'), answer([unsigned, said], { model: 'a:one', status: 'interrupted' })],
      { model: 'a:one' },
    );
    expect(built.messages[1]!.content).toEqual([{ type: 'text', text: 'Yes.' }]);
    expect(built.leftOut).toEqual([
      expect.objectContaining({ what: 'reasoning', reason: 'incomplete', entries: 1 }),
    ]);
  });

  it('that was interrupted after it was signed is sent', () => {
    const built = contextOf([user('?'), answer([thought, said], { model: 'a:one', status: 'interrupted' })], {
      model: 'a:one',
    });
    expect(built.messages[1]!.content).toEqual([thought, said]);
  });

  it('that is all there is of an answer leaves no message behind', () => {
    const built = contextOf([user('?'), answer([thought], { model: 'a:one' }), user('Hello?')], {
      model: 'b:two',
    });
    expect(built.messages.map(({ role }) => role)).toEqual(['user', 'user']);
  });

  it('that has a lone surrogate or is only a preview is left out, because its signature is over the exact text', () => {
    for (const text of ['\ud800', { $blob: 'ab'.repeat(32), as: 'text', bytes: 9, preview: 'Hm' }]) {
      const built = contextOf([user('?'), answer([{ ...thought, text }, said], { model: 'a:one' })], {
        model: 'a:one',
      });
      expect(built.messages[1]!.content).toEqual([{ type: 'text', text: 'Yes.' }]);
    }
  });

  it('stays in the log', () => {
    const body = answer([thought, said], { model: 'a:one' });
    const before = JSON.stringify(body);
    contextOf([user('?'), body], { model: 'b:two' });
    expect(JSON.stringify(body)).toBe(before);
  });
});

describe('what only its own model takes', () => {
  it('does not go to another: pictures it made, and its special parts', () => {
    const picture = { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' };
    const custom = { type: 'custom', kind: 'openai.compaction' };
    const body = answer([picture, custom, said], { model: 'a:one' });
    expect(contextOf([user('?'), body], { model: 'a:one' }).messages[1]!.content).toEqual([
      picture,
      custom,
      said,
    ]);
    expect(contextOf([user('?'), body], { model: 'b:two' }).messages[1]!.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^\[Not sent: image, image\/png\. Entry .* has it\.\]$/) },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  it('leaves what users and tools said alone', () => {
    const cached = {
      type: 'text',
      text: 'Hi',
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    };
    const result = toolResult('look', 'x', { id: 'a' });
    const call = assistant('', { calls: [{ name: 'look', id: 'a' }] });
    const built = contextOf([user([cached]), call, result], { model: 'b:two' });
    expect(built.messages[0]!.content).toEqual([cached]);
    expect(built.messages[2]!.content).toEqual(result.parts);
  });
});
