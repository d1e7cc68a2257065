import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../src/search/words/parse-query.ts';

const matches = (text: string) => parseQuery(text).terms.map(({ match }) => match);

describe('a query', () => {
  it.each([
    { text: 'What is the store?', terms: ['"store"'], why: 'stop words say nothing' },
    {
      text: 'to be or not to be',
      terms: ['"to"', '"be"', '"or"', '"not"'],
      why: 'unless there is nothing else',
    },
    { text: "Anna's dog", terms: ['"Anna"', '"dog"'], why: 'an apostrophe does not make a name' },
    {
      text: 'follow-up',
      terms: ['"follow"', '"follow up"'],
      why: 'a hyphen joins words; "up" is a stop word',
    },
    { text: '--dry-run', terms: ['"dry run"'], why: 'a flag is one thing' },
    { text: 'src/store/log.ts', terms: ['"src store log ts"'], why: 'so is a path' },
    {
      text: 'foo_bar,baz',
      terms: ['"foo"', '"bar"', '"foo bar"', '"baz"'],
      why: 'a comma parts, and beside other words those in a name count too',
    },
    { text: 'migrat*', terms: ['"migrat" *'], why: 'a star asks for the start of a word' },
    { text: '数据库', terms: ['"数据"', '"据库"'], why: 'unspaced scripts go by pairs' },
    { text: '库', terms: ['"库" *'], why: 'one character begins a pair' },
    {
      text: 'store STORE Store',
      terms: ['"store"', '"STORE"', '"Store"'],
      why: 'the index folds case itself',
    },
    { text: 'a "b c" whale', terms: ['"whale"'], why: 'what is quoted is required, not ranked' },
  ])('$text asks for $terms: $why', ({ text, terms }) => {
    expect(matches(text)).toEqual(terms);
  });

  it('has its quotes as literals', () => {
    expect(parseQuery('say "Blue  Whale" and “数据”').literals).toEqual([
      { match: '"Blue Whale"', folded: 'blue whale' },
      { match: '"数据"', folded: '数据' },
    ]);
  });

  it('is exact when it is nothing but names, prefixes and quotes', () => {
    const exact = (text: string) => parseQuery(text).exact;
    expect(['foo_bar', '"a b"', 'migrat*', 'src/log.ts'].map(exact)).toEqual([true, true, true, true]);
    expect(['store', 'fix foo_bar', '数据'].map(exact)).toEqual([false, false, false]);
  });
});
