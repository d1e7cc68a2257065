import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarkdownPainter } from '../../../../src/faces/cli/chat/paint-markdown.ts';

/** Paints the text as it would come, in pieces that end at these places. */
function painted(text: string, cuts: readonly number[] = []): string {
  let out = '';
  const painter = createMarkdownPainter((piece) => {
    out += piece;
  });
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    painter.add(text.slice(from, cut));
    from = cut;
  }
  painter.add(text.slice(from));
  painter.end();
  return out;
}

const ESCAPE = new RegExp(`${String.fromCharCode(27)}\\[\\d+m|[\\s\\S]`, 'gu');

/** What one sees: colours merged, because a word may be painted in two pieces. */
function cells(text: string): [string, string][] {
  const seen: [string, string][] = [];
  let style = '';
  const on = new Set<string>();
  for (const [piece] of text.matchAll(ESCAPE)) {
    const code = piece.length > 2 ? piece.match(/\d+/)?.[0] : undefined;
    if (code === undefined) {
      seen.push([piece, style]);
      continue;
    }
    const off: Record<string, string[]> = { 22: ['1', '2'], 23: ['3'], 24: ['4'], 29: ['9'], 39: ['36'] };
    if (off[code]) for (const one of off[code]) on.delete(one);
    else on.add(code);
    style = [...on].sort().join();
  }
  return seen;
}

const MARKDOWN = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '**',
        '*',
        '`',
        '```',
        '```ts\n',
        '\n',
        '# ',
        '- ',
        '> ',
        '~~',
        '| ',
        '|---|',
        '[',
        '](',
        ')',
        '\\',
        '_',
        ' ',
      ),
      fc.constantFrom('word', 'two words', 'https://a.example/b', '2 * 3', 'snake_case', '日本', '👋'),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''));

describe('painting markdown', () => {
  it.each([
    ['**bold** word', '\x1b[1mbold\x1b[22m word\n'],
    ['a `code` b', 'a \x1b[36mcode\x1b[39m b\n'],
    ['- one\n- two', '• one\n• two\n'],
    ['[docs](https://a.example)', 'docs (https://a.example)\n'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name\n'],
    ['array[0] and [x]', 'array[0] and [x]\n'],
  ])('%j', (text, expected) => {
    const plain = (words: string) => cells(words);
    expect(plain(painted(text))).toEqual(plain(expected));
  });

  it('leaves code alone', () => {
    const seen = stripVTControlCharacters(
      painted('```js\nconst a = b ** 2; // [x](y)\n- no list\n```\nafter'),
    );
    expect(seen).toBe('```js\nconst a = b ** 2; // [x](y)\n- no list\n```\nafter\n');
  });

  it('closes open markup at the end of its line', () => {
    const seen = painted('**never closed\nnext line');
    expect(cells(seen).at(-2)).toEqual(['e', '']);
  });

  it('looks the same however it comes in pieces', () => {
    fc.assert(
      fc.property(MARKDOWN, fc.array(fc.nat({ max: 200 }), { maxLength: 8 }), (text, cuts) => {
        // Whoever hands it text keeps characters whole.
        const within = cuts.filter(
          (cut) => cut <= text.length && !/[\uD800-\uDBFF]/.test(text[cut - 1] ?? ''),
        );
        expect(cells(painted(text, within))).toEqual(cells(painted(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('never loses a letter', () => {
    fc.assert(
      fc.property(MARKDOWN, (text) => {
        const letters = (of: string) => (of.match(/[\p{L}\p{N}]/gu) ?? []).join('');
        expect(letters(stripVTControlCharacters(painted(text)))).toBe(letters(text));
      }),
      { numRuns: 500 },
    );
  });
});
