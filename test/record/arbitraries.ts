import fc from 'fast-check';
import type { EntryBody, Message, Part } from '../../src/record/index.ts';
import {
  assistant,
  compaction,
  foreign,
  mark,
  merge,
  setting,
  summaryOf,
  toolResult,
  user,
} from '../../src/testing/index.ts';

/** Any sequence of UTF-16 code units, so lone surrogates and NULs too, with more of what breaks things. */
export const anyText: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0x20, max: 0x7e }).map((unit) => String.fromCharCode(unit)) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) },
    fc.constantFrom('\ud800', '\udc00', '\0', '😀', 'é', 'e\u0301', '\n', '\u2028', '"', '\\', '\ufeff'),
  ),
});

/** JSON values as a program may hand them in: with odd keys, but without `-0`, which JSON text does not tell from 0. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1.5, -1, 2 ** 53, 1e-9),
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(anyText, fc.constantFrom('$blob', 'kind', 'type', '__proto__', 'length')),
      tie('value'),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
  ),
})).value;

export const anyPart: fc.Arbitrary<Part> = fc.oneof(
  anyText.map((text) => ({ type: 'text', text })),
  fc.record(
    { type: fc.constantFrom('data', 'tool-call', 'scent'), value: anyJson },
    { noNullPrototype: true },
  ),
);

const plain = { noNullPrototype: true } as const;
const usage = fc.record({ inputTokens: fc.nat(99), outputTokens: fc.nat(99) }, plain);
const name = fc.constantFrom('a', 'b', 'Größe', '\ud800 half');
const range = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.nat(9))
  .map(([from, more]) => ({ from, to: from + more }));

const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  { weight: 3, arbitrary: anyText.map((text) => user(text)) },
  fc.array(anyPart, { maxLength: 3 }).map((parts) => user(parts)),
  fc.tuple(anyText, usage).map(([text, used]) => assistant(text, { usage: used })),
  anyJson.map((value) => toolResult('look', value)),
  // Long enough to be set aside; few different ones, so that blobs are shared.
  fc.nat(2).map((n) => user(`long text ${n} `.repeat(4000))),
);

/** What moves sessions around in lists. */
const anySetting: fc.Arbitrary<EntryBody> = fc.oneof(
  fc
    .tuple(fc.option(name), fc.constantFrom('user', 'host', 'auto'))
    .map(([value, by]) => setting('title', value, by)),
  fc.tuple(fc.constantFrom('tag', 'untag'), name).map(([what, value]) => setting(what, value)),
  fc.tuple(fc.constantFrom('archived', 'trashed'), fc.boolean()).map(([what, value]) => setting(what, value)),
  fc
    .tuple(fc.constantFrom('project', 'agent', 'other'), fc.option(name))
    .map(([what, value]) => setting(what, value)),
);

const anyNote: fc.Arbitrary<EntryBody> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('pinned', 'unpinned', 'excluded', 'included', 'expanded', 'collapsed', 'removed'),
      range,
    )
    .map(([what, target]) => mark(what, target)),
  fc
    .tuple(range, usage, anyText)
    .map(([covers, used, text]) => compaction({ covers, usage: used, summary: summaryOf(text) })),
  fc
    .tuple(fc.nat(2), anyText)
    .map(([n, text]) => ({ kind: 'todo', id: `${n}`, text, status: 'pending' }) as const),
  fc
    .tuple(fc.nat(2), anyJson)
    .map(([n, content]) => ({ kind: 'document', id: `${n}`, title: '', content }) as const),
  fc.tuple(name, anyText).map(([text, summary]) => merge({ branch: 'b', summary, meta: { text } })),
  anyJson.map((value) => foreign('hologram', { value })),
  anyText
    .filter((text) => text !== '')
    .map((text) => ({ kind: 'fact', step: 'added', text, list: 'facts', source: { by: 'person' } }) as const),
  anyText.map(
    (text): EntryBody => ({ kind: 'work', step: 'feature', feature: 'auth', spec: text, by: 'pm' }),
  ),
  anyText.map(
    (text): EntryBody => ({
      kind: 'run',
      step: 'partial',
      answer: '019b6f1c-3f68-7000-9a41-5c0f2b7d8e21',
      parts: [{ at: 0, type: 'text', text }],
    }),
  ),
);

export const anyBody: fc.Arbitrary<EntryBody> = fc.oneof(
  { weight: 4, arbitrary: anyMessage },
  { weight: 2, arbitrary: anySetting },
  { weight: 2, arbitrary: anyNote },
);
