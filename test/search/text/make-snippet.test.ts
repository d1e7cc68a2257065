import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placesOf } from '../../../src/search/text/find-places.ts';
import { makeSnippet } from '../../../src/search/text/make-snippet.ts';
import { parseQuery } from '../../../src/search/words/parse-query.ts';

const snippet = (text: string, query: string, length = 60) =>
  makeSnippet(text, placesOf(parseQuery(query))(text, length), { length, mark: ['[', ']'] });

describe('a snippet', () => {
  it.each([
    { text: 'We were running late', query: 'run', shown: 'We were [running] late' },
    { text: 'a cart and two cars', query: 'car', shown: 'a cart and two [cars]' },
    { text: 'Un café noir', query: 'cafe', shown: 'Un [café] noir' },
    { text: '请检查数据库连接', query: '连接', shown: '请检查数据库[连接]' },
    { text: 'see src/store/log.ts now', query: 'src/store/log.ts', shown: 'see [src/store/log.ts] now' },
    { text: 'I like C++ most', query: 'C++', shown: 'I like [C++] most' },
    { text: 'the migrations ran', query: 'migrat*', shown: 'the [migrations] ran' },
    { text: 'a  blue\n whale sang', query: '"blue whale"', shown: 'a [blue whale] sang' },
    { text: 'call openSqliteStore', query: 'sqlite store', shown: 'call open[SqliteStore]' },
    { text: 'call parseHTMLString2', query: 'html parse', shown: 'call [parseHTML]String2' },
    { text: 'call openSqliteStore', query: 'sqli*', shown: 'call open[Sqlite]Store' },
    { text: 'SqLite', query: 'sqlit*', shown: '[SqLite]' },
    { text: 'un cafe\u0301 noir', query: 'café', shown: 'un [cafe\u0301] noir' },
    { text: 'ﾀﾜｰ and ｶﾞｲﾄﾞ', query: 'ガイド', shown: 'ﾀﾜｰ and [ｶﾞｲﾄﾞ]' },
    { text: 'a ﬁnancial Ａｐｐｌｅ', query: 'financial apple', shown: 'a [ﬁnancial] [Ａｐｐｌｅ]' },
    { text: 'İSTANBUL IS BIG', query: 'istanbul big', shown: '[İSTANBUL] IS [BIG]' },
    { text: 'ο ΣΊΣΥΦΟΣ', query: 'σίσυφος', shown: 'ο [ΣΊΣΥΦΟΣ]' },
    { text: 'die Straße, e\u200bmpty', query: 'strasse empty', shown: 'die [Straße], [e\u200bmpty]' },
    { text: 'ช่อง', query: 'ช่อง', shown: '[ช่อง]' },
    { text: '服务器崩溃', query: '服务器', shown: '[服务器]崩溃' },
    { text: 'nothing of it', query: 'zebra', shown: 'nothing of it' },
  ])('of $text for $query is $shown', ({ text, query, shown }) => {
    expect(snippet(text, query)).toBe(shown);
  });

  it('shows the stretch that has most of the query', () => {
    const text = `${'whale '.repeat(40)} padding ${'x '.repeat(60)} the blue whale song ${'y '.repeat(60)}`;
    expect(snippet(text, 'blue whale song')).toContain('[blue] [whale] [song]');
  });

  it('is never cut through a character, and never much longer than asked', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ maxLength: 20 }),
        (text, query) => {
          const shown = snippet(text.toWellFormed(), query, 40);
          expect(shown.isWellFormed()).toBe(true);
          expect(shown.replaceAll(/[[\]]/g, '').length).toBeLessThanOrEqual(44);
        },
      ),
    );
  });
});
