import { describe, expect, it } from 'vitest';
import type { ContextMessage } from '../../src/context/index.ts';
import { common, MODELS } from './provider-rules.ts';

// The rules are what the random histories are judged by, so each is shown a request that its provider refuses.

const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string, fields = {}) => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'look',
  input: {},
  ...fields,
});
const result = (id: string) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'look',
  output: { type: 'text', value: 'x' },
});
const ask = { role: 'user', content: [text('?')] };
const says = (...content: object[]) => ({ role: 'assistant', content });
const gets = (...content: object[]) => ({ role: 'tool', content });
const thought = (fields = {}) => ({ type: 'reasoning', text: 'Hm', ...fields });

function complaints(model: string, messages: readonly object[]): string[] {
  const list = messages as readonly ContextMessage[];
  return [...common(list), ...MODELS[model]!(list)];
}

describe('the rules of providers', () => {
  it.each(Object.keys(MODELS))('%s takes an ordinary tool loop', (model) => {
    const messages = [
      ask,
      says(text('Let me see'), call('a'), call('b')),
      gets(result('a'), result('b')),
      says(text('So')),
    ];
    expect(complaints(model, messages)).toEqual([]);
  });

  it.each([
    ['no messages at all', []],
    ['no user message', [says(text('Hi'))]],
    ['a call without a result', [ask, says(call('a'))]],
    ['a call whose result comes after somebody spoke', [ask, says(call('a')), ask, gets(result('a'))]],
    ['one of two calls without a result', [ask, says(call('a'), call('b')), gets(result('a'))]],
    ['a result without a call', [ask, gets(result('a'))]],
    ['a result for another call', [ask, says(call('a')), gets(result('b'))]],
    ['two results for one call', [ask, says(call('a')), gets(result('a'), result('a'))]],
    ['a blank text', [{ role: 'user', content: [text(' ')] }]],
    ['a message without content', [ask, says()]],
    ['a system message', [{ role: 'system', content: [text('Obey')] }, ask]],
    ['arguments that are no object', [ask, says(call('a', { input: 'x' })), gets(result('a'))]],
    ['a lone surrogate', [{ role: 'user', content: [text('\ud800')] }]],
    ['a part that nobody knows', [{ role: 'user', content: [{ type: 'scent' }] }]],
  ])('none takes %s', (_, messages) => {
    for (const model of Object.keys(MODELS)) expect(complaints(model, messages)).not.toEqual([]);
  });

  it.each([
    ['anthropic:claude', 'an answer first', [says(text('Hi')), ask]],
    ['google:gemini', 'an answer first', [says(text('Hi')), ask]],
    [
      'anthropic:claude',
      'the same id twice',
      [ask, says(call('a')), gets(result('a')), says(call('a')), gets(result('a'))],
    ],
    [
      'openai:gpt',
      'the same id twice',
      [ask, says(call('a')), gets(result('a')), says(call('a')), gets(result('a'))],
    ],
    ['anthropic:claude', 'an id with a colon', [ask, says(call('f:0')), gets(result('f:0'))]],
    [
      'openai-chat:gpt',
      'a tool name with a dot',
      [ask, says(call('a', { toolName: 'a.b' })), gets(result('a'))],
    ],
    ['anthropic:claude', 'thinking without a signature', [ask, says(thought(), text('So'))]],
    [
      'anthropic:claude',
      'thinking at the end',
      [ask, says(text('So'), thought({ providerOptions: { anthropic: { signature: 's' } } }))],
    ],
    [
      'anthropic:claude',
      'a server call without a result',
      [ask, says(text('So'), call('s', { providerExecuted: true }))],
    ],
    [
      'openai-chat:gpt',
      'a server call',
      [ask, says(call('s', { providerExecuted: true }), result('s')), ask],
    ],
    ['openai:gpt', 'reasoning that nothing follows', [ask, says(thought())]],
    [
      'openai:gpt',
      'an item without its reasoning',
      [ask, says({ ...text('So'), providerOptions: { openai: { itemId: 'msg_rs_1' } } })],
    ],
    ['google:gemini', 'a call after an answer', [ask, says(text('Hm')), says(call('a')), gets(result('a'))]],
  ])('%s does not take %s', (model, _, messages) => {
    expect(complaints(model, messages)).not.toEqual([]);
  });
});
