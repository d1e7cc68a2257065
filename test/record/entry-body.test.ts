import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBody, type ENTRY_KINDS, type EntryBody, plainBody, readBody } from '../../src/record/index.ts';
import { compaction, foreign, mark, merge, restoration, setting, user } from '../../src/testing/index.ts';
import { anyBody } from './arbitraries.ts';

/** One valid body of each kind. */
const BODIES: Record<(typeof ENTRY_KINDS)[number], EntryBody> = {
  message: user('hello'),
  compaction: compaction({ covers: { from: 1, to: 2 } }),
  mark: mark('pinned', { from: 1, to: 2 }),
  restoration: restoration('parent'),
  setting: setting('title', 'A title'),
  todo: { kind: 'todo', id: '1', text: 'write tests', status: 'pending' },
  document: { kind: 'document', id: '1', title: 'Plan', content: { any: ['thing'] } },
  loop: { kind: 'loop', iteration: 1, passed: ['lint'], failed: [], lastError: null },
  merge: merge({ branch: 'plan-b' }),
  fact: {
    kind: 'fact',
    step: 'added',
    text: 'Tests run with vitest.',
    list: 'facts',
    source: { by: 'person' },
  },
  run: {
    kind: 'run',
    step: 'started',
    answer: '019b6f1c-3f68-7000-9a41-5c0f2b7d8e21',
    call: 'call_1',
    tool: 'grep',
    result: '019b6f1c-3f68-7000-9a41-5c0f2b7d8e22',
  },
  work: { kind: 'work', step: 'moved', feature: 'auth', task: 'login', from: 'planning', to: 'in_dev' },
};
const bodies = Object.entries(BODIES);

describe('on the way in', () => {
  it.each(bodies)('takes a %s as it is', (_, body) => {
    expect(checkBody(body)).toBe(body);
  });

  it.each(bodies)('refuses a %s with a misspelt field', (_, body) => {
    expect(() => checkBody({ ...body, colour: 'red' })).toThrow(
      expect.objectContaining({ code: 'entry-invalid' }),
    );
  });

  it.each(bodies)('refuses a %s with nothing in it', (kind) => {
    expect(() => checkBody({ kind })).toThrow(expect.objectContaining({ code: 'entry-invalid' }));
  });

  it.each([
    { body: { ...user('a'), role: 'wizard' }, why: 'nobody has that role' },
    { body: { ...user('a'), parts: [{ text: 'a' }] }, why: 'a part has a type' },
    {
      body: { ...user('a'), usage: { inputTokens: -1, outputTokens: 0 } },
      why: 'nothing uses less than nothing',
    },
    { body: { ...user('a'), durationMs: Number.NaN }, why: 'NaN is no duration' },
    { body: mark('pinned', 'not-an-id'), why: 'a mark points at an entry id' },
    { body: mark('pinned', { from: 2, to: 1 }), why: 'a range runs forward' },
    { body: mark('pinned', { from: 0, to: 1 }), why: 'entries count from 1' },
    { body: { ...mark('pinned', { from: 1, to: 1 }), mark: 'loved' }, why: 'there is no such mark' },
    { body: compaction({ covers: { from: 1, to: 1 }, level: 0 }), why: 'levels count from 1' },
    { body: compaction({ covers: { from: 1, to: 1 }, retention: 2 }), why: 'retention is a share' },
    { body: restoration('../up'), why: 'the parent is a session id' },
    { body: setting('', 'x'), why: 'a setting has a name' },
    { body: setting('x', new Date() as never), why: 'a setting is JSON' },
    { body: { kind: 'mesage' }, why: 'no kind is called that' },
    { body: { kind: 'toString' }, why: 'what objects inherit is no kind' },
    {
      body: { kind: 'unknown', was: 'message', value: { kind: 'message' } },
      why: 'a message is not unknown',
    },
    { body: { kind: 'unknown', was: 'x', value: { kind: 'y' } }, why: 'it says two things' },
    {
      body: { kind: 'unknown', was: 'x', value: { kind: 'x' }, more: 1 },
      why: 'the wrapper has no other fields',
    },
    { body: null, why: 'it is nothing' },
    { body: 'message', why: 'it is a text' },
    { body: [], why: 'it is a list' },
  ])('refuses a body because $why', ({ body }) => {
    expect(() => checkBody(body)).toThrow(expect.objectContaining({ code: 'entry-invalid' }));
  });

  it('says which field is wrong', () => {
    expect(() => checkBody({ ...user('a'), role: 'wizard' })).toThrow(/role/);
    expect(() => checkBody({ kind: 'mesage' })).toThrow(/mesage.*message, compaction/);
  });
});

describe('on the way out', () => {
  it.each(bodies)('keeps the fields of a newer version in a %s', (_, body) => {
    const newer = { ...body, added: { later: true } };
    expect(readBody(newer)).toBe(newer);
  });

  it('wraps a kind it does not know, whole', () => {
    const value = { kind: 'hologram', depth: 3, was: 'x' };
    expect(readBody(value)).toEqual({ kind: 'unknown', was: 'hologram', value });
    expect(readBody({ kind: 'unknown', x: 1 })).toEqual({
      kind: 'unknown',
      was: 'unknown',
      value: { kind: 'unknown', x: 1 },
    });
  });

  it.each([
    { value: null, why: 'there is nothing' },
    { value: {}, why: 'it has no kind' },
    { value: { kind: 1 }, why: 'its kind is no text' },
    { value: { kind: 'message', role: 'user' }, why: 'a message has parts' },
    { value: { ...BODIES.compaction, covers: null }, why: 'a compaction covers something' },
  ])('takes it for damage when $why', ({ value }) => {
    expect(() => readBody(value)).toThrow(TypeError);
  });
});

it('reads every body it took, as it was', () => {
  fc.assert(
    fc.property(anyBody, (body) => {
      expect(readBody(plainBody(checkBody(body)))).toEqual(body);
    }),
  );
});

it('writes an unknown kind down as it came', () => {
  const body = foreign('hologram', { depth: 3 });
  expect(plainBody(checkBody(body))).toEqual({ kind: 'hologram', depth: 3 });
});
