import { expect, it } from 'vitest';
import { lineageRanges } from '../../src/store/lineage-ranges.ts';

// `a` was forked at 4 into `b`, `b` at 7 into `c`, which has come to 9.
const lineage = [
  { key: 'a', after: 0, upTo: 4 },
  { key: 'b', after: 4, upTo: 7 },
  { key: 'c', after: 7, upTo: 9 },
];

it.each([
  { range: {}, parts: ['a 0-4', 'b 4-7', 'c 7-9'], why: 'everything is asked for' },
  { range: { after: 4 }, parts: ['b 4-7', 'c 7-9'], why: 'after excludes' },
  { range: { upTo: 4 }, parts: ['a 0-4'], why: 'upTo includes' },
  { range: { after: 3, upTo: 5 }, parts: ['a 3-4', 'b 4-5'], why: 'it lies across a seam' },
  { range: { after: 5, upTo: 6 }, parts: ['b 5-6'], why: 'it lies in one part' },
  { range: { after: 9 }, parts: [], why: 'nothing is after the head' },
  { range: { upTo: 0 }, parts: [], why: 'nothing is before the first' },
  { range: { after: 6, upTo: 3 }, parts: [], why: 'it runs backwards' },
])('finds $parts when $why', ({ range, parts }) => {
  expect(lineageRanges(lineage, range).map(({ key, after, upTo }) => `${key} ${after}-${upTo}`)).toEqual(
    parts,
  );
});

it('leaves out a session that was forked before its own first entry', () => {
  const early = [
    { key: 'a', after: 0, upTo: 2 },
    { key: 'b', after: 4, upTo: 2 },
    { key: 'c', after: 2, upTo: 3 },
  ];
  expect(lineageRanges(early, {}).map(({ key }) => key)).toEqual(['a', 'c']);
});
