import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placesOf } from '../../../src/search/text/find-places.ts';
import { foldText, isAsciiText } from '../../../src/search/text/fold-text.ts';
import { holdsLiteral } from '../../../src/search/text/literal-match.ts';
import { parseQuery } from '../../../src/search/words/parse-query.ts';

const find = (text: string, query: string, stretch = Number.POSITIVE_INFINITY) =>
  placesOf(parseQuery(query))(text, stretch).map(({ from, to, part }) => [text.slice(from, to), part]);

/** Words that end and begin like others, and whatever may stand between words. */
const word = fc.constantFrom('blue', 'Blue', 'blues', 'whale', 'a', 'A1', '-x', 'x.', '++', 'of', 'the');
const space = fc.constantFrom(' ', '', '  ', '\n', ' \t', ', ');
const ascii = fc
  .array(fc.tuple(word, space), { maxLength: 12 })
  .map((parts) => parts.flat().join(''))
  .filter(isAsciiText);

describe('places of a query in a text', () => {
  it.each([
    {
      text: 'Runs, runner and rung',
      query: 'run',
      found: [
        ['Runs', 0],
        ['runner', 0],
      ],
    },
    { text: 'one ones', query: '"one"', found: [['one', 0]] },
    { text: 'Blue  Whale blue whales', query: '"blue whale"', found: [['Blue  Whale', 0]] },
    {
      text: 'to sail or not',
      query: '"not" sail',
      found: [
        ['sail', 1],
        ['not', 0],
      ],
    },
    { text: 'aaa', query: 'zebra', found: [] },
  ])('for $query in "$text"', ({ text, query, found }) => {
    expect(find(text, query)).toEqual(found);
  });

  it('stop, for a query of one part, where a stretch from the first is full', () => {
    const text = `one ${'whale '.repeat(10)}`;
    expect(find(text, 'whale', 11)).toHaveLength(2);
    expect(find(text, 'one whale', 11)).toHaveLength(11);
  });

  it('find a quoted phrase in plain text', () => {
    fc.assert(
      fc.property(ascii, ascii, (text, quoted) => {
        const query = parseQuery(`"${quoted}"`);
        const literal = query.literals[0];
        fc.pre(literal !== undefined);
        const found = placesOf(query)(text, 10).length > 0;
        expect(found).toBe(holdsLiteral(foldText(text), literal!.folded));
      }),
      { numRuns: 1000 },
    );
  });
});
