import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EntryBody, FORMAT_VERSION, newEntryId } from '../../src/record/index.ts';
import { decodeBody, encodeEntry, wholeBody } from '../../src/store/entry-format.ts';
import { sameBody } from '../../src/store/same-body.ts';
import { assistant, compaction, foreign, setting, user } from '../../src/testing/index.ts';
import { anyBody, anyText } from '../record/arbitraries.ts';

function decode(encoded: ReturnType<typeof encodeEntry>): EntryBody {
  return decodeBody('s', { ...encoded, seq: 1 });
}

describe('an encoded entry', () => {
  it('is decoded to the body it was made from', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        const encoded = encodeEntry({ body }, 0);
        const bytes = new Map(encoded.blobs.map((blob) => [blob.hash, blob.bytes]));
        expect(await wholeBody(decode(encoded), async (hash) => bytes.get(hash)!)).toStrictEqual(body);
      }),
      { numRuns: 300 },
    );
  });

  it('is valid UTF-8 without a NUL, whatever the text', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, key) => {
        const { json } = encodeEntry({ body: user([{ type: 'text', text, meta: { [key]: text } }]) }, 0);
        expect(json.isWellFormed() && !json.includes('\0')).toBe(true);
        expect(Buffer.from(json, 'utf8').toString('utf8')).toBe(json);
      }),
    );
  });

  it('is the same in bytes, however many are made and however long they are', () => {
    const length = fc.oneof(fc.nat(300), fc.nat(50_000));
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, length), { minLength: 1, maxLength: 40 }), (texts) => {
        const all = texts.map(([text, size]) =>
          encodeEntry({ body: user(`${text}${'ä–😀x'.repeat(size / 5)}`) }, 0),
        );
        for (const { bytes, json } of all) expect(Buffer.from(bytes).equals(Buffer.from(json))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('is a repeat of itself, read back', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(sameBody(decode(encodeEntry({ body }, 0)), encodeEntry({ body }, 0).body)).toBe(true);
      }),
    );
  });

  it('has the time and id of the writer, or makes them', () => {
    const id = newEntryId();
    expect(encodeEntry({ id, at: 5, body: user('a') }, 9)).toMatchObject({ id, at: 5, named: true });
    expect(encodeEntry({ body: user('a') }, 9)).toMatchObject({ at: 9, named: false });
  });

  it.each([
    { body: user('a question'), some: true, why: 'a message is in the context' },
    { body: compaction({ covers: { from: 1, to: 1 }, tokensAfter: 7 }), some: true, why: 'so is a summary' },
    {
      body: { kind: 'document', id: 'd', title: 'd', content: 'x' } as const,
      some: true,
      why: 'a document may be',
    },
    { body: setting('title', 'A title'), some: false, why: 'a setting is not' },
    { body: foreign('hologram'), some: false, why: 'nobody knows what it would be' },
  ])('costs tokens: $some, because $why', ({ body, some }) => {
    expect(encodeEntry({ body }, 0).tokens > 0).toBe(some);
  });

  it('is refused when it could not be read again', () => {
    const summary = { background: '', overview: '', topics: [], decisions: [], completed: [], pending: [] };
    const line = { text: 'a', from: [], $blob: 'mine' };
    const body = compaction({
      covers: { from: 1, to: 1 },
      summary: { ...summary, blockers: [], facts: [line], files: [], ledger: [] },
    });
    expect(() => encodeEntry({ body }, 0)).toThrow(expect.objectContaining({ code: 'entry-invalid' }));
    const part = { type: 'x'.repeat(40_000) };
    expect(() => encodeEntry({ body: user([part]) }, 0)).toThrow(
      expect.objectContaining({ code: 'entry-invalid' }),
    );
  });
});

describe('a damaged entry', () => {
  const encoded = encodeEntry({ body: assistant('an answer') }, 0);

  it.each([
    { stored: { json: encoded.json.replace('answer', 'anSwer') }, why: 'a letter changed' },
    { stored: { json: encoded.json.slice(0, -1) }, why: 'its end is missing' },
    { stored: { crc: encoded.crc + 1 }, why: 'its checksum changed' },
    { stored: { at: encoded.at + 1 }, why: 'its time changed' },
    { stored: { json: '' }, why: 'nothing is left' },
    { stored: { version: 0 }, why: 'its version never was' },
  ])('is never skipped or guessed at: $why', ({ stored }) => {
    const details = { session: 's', entry: encoded.id, seq: 1 };
    const unreadable = expect.objectContaining({ code: 'entry-unreadable', details });
    expect(() => decode({ ...encoded, ...stored })).toThrow(unreadable);
  });

  it('is not one from a newer version: that is kept whole', () => {
    const newer = decode({ ...encoded, version: FORMAT_VERSION + 1 });
    expect(newer).toEqual({ kind: 'unknown', was: 'message', value: JSON.parse(encoded.json) });
  });
});

describe('a repeat', () => {
  const long = 'long '.repeat(10_000);

  it('does not depend on how a version previews and counts large values', () => {
    const { body } = encodeEntry({ body: user(long) }, 0);
    const older = JSON.parse(
      JSON.stringify(body)
        .replace(/"tokens":\d+/, '"tokens":1')
        .replace(/"preview":"[^"]*"/, '"preview":""'),
    );
    expect(older).not.toEqual(body);
    expect(sameBody(older, body)).toBe(true);
  });

  it.each([
    { one: user(long), other: user(`${long}!`), why: 'the text set aside is another' },
    { one: user('a'), other: assistant('a'), why: 'somebody else said it' },
    { one: user('a'), other: { ...user('a'), meta: {} }, why: 'something was added' },
    { one: foreign('a', { x: 1 }), other: foreign('b', { x: 1 }), why: 'the kind is another' },
  ])('it is not when $why', ({ one, other }) => {
    expect(sameBody(encodeEntry({ body: one }, 0).body, encodeEntry({ body: other }, 0).body)).toBe(false);
  });
});
