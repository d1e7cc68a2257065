import { describe, expect, it } from 'vitest';
import { indexText } from '../../../src/search/text/index-text.ts';

describe('the text that is indexed', () => {
  it.each([
    { text: 'plain words', indexed: 'plain words', why: 'nothing to do' },
    { text: '数据库', indexed: ' 数据 据库 库 ', why: 'pairs, and the last character alone' },
    { text: '用React', indexed: ' 用 React', why: 'a run ends where another script begins' },
    { text: 'done🥳now “so”', indexed: 'done now  so ', why: 'signs that the index would take for letters' },
    { text: 'ｆｏｏ', indexed: 'foo', why: 'one width' },
    { text: 'openSqliteStore', indexed: 'openSqliteStore\nopen sqlite store', why: 'the words in a name' },
    {
      text: 'parseHTTPResponse2',
      indexed: 'parseHTTPResponse2\nparse http response2',
      why: 'capitals in a row',
    },
    { text: 'C++ and c#', indexed: 'C++ and c#\ncplusplus csharp', why: 'signs that belong to a word' },
    { text: 'C++17', indexed: 'C++17\ncplusplus', why: 'whatever stands behind them' },
    { text: '# heading a+b x+++ y', indexed: '# heading a+b x+++ y', why: 'signs that do not' },
  ])('of $text is $indexed: $why', ({ text, indexed }) => {
    expect(indexText(text)).toBe(indexed);
  });

  it('takes time in proportion to its length, whatever it holds', () => {
    for (const text of [
      'a'.repeat(2_000_000),
      'aB'.repeat(1_000_000),
      '+#'.repeat(1_000_000),
      'a+'.repeat(1_000_000),
    ])
      expect(indexText(text).length).toBeGreaterThanOrEqual(text.length);
  });
});
