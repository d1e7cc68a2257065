import { describe, expect, it } from 'vitest';
import { factShare } from '../../../src/search/text/fact-share.ts';

describe('the share of facts in a message', () => {
  it('is a third for a name, a third for a time or a count, and a third for a statement of the speaker about himself', () => {
    expect(factShare('That is great!')).toBe(0);
    expect(factShare('She moved to Lisbon.')).toBe(33);
    expect(factShare('She moved to Lisbon two years ago.')).toBe(67);
    expect(factShare('We moved to Lisbon two years ago.')).toBe(100);
  });

  it('takes the first word of a sentence for no name, and a title for one', () => {
    expect(factShare('Wonderful. Really wonderful.')).toBe(0);
    expect(factShare('she read "the long way home" again')).toBe(33);
    expect(factShare('彼女は「銀河鉄道の夜」を読んだ')).toBe(33);
  });

  it('reads other languages and small letters', () => {
    expect(factShare('i ran 10 km')).toBe(67);
    expect(factShare('wir fahren gestern los')).toBe(67);
    expect(factShare('我昨天到的')).toBe(67);
    expect(factShare('私は昨日着いた')).toBe(67);
  });

  it('is all of it in a long text, and nothing in an empty one', () => {
    expect(factShare('that is great '.repeat(40))).toBe(100);
    expect(factShare('')).toBe(0);
  });
});
