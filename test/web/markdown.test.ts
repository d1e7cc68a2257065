import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, parseBlocks } from '../../web/markdown/parse-blocks.ts';
import { type Inline, parseInline } from '../../web/markdown/parse-inline.ts';
import { safeLink } from '../../web/markdown/safe-link.ts';

/** Everything that a text shows, and everywhere that it leads. */
function shown(blocks: readonly Block[]): { text: string; links: string[] } {
  const links: string[] = [];
  const inline = (each: Inline): string => {
    if (each.type === 'link') links.push(each.href);
    if ('text' in each) return each.text;
    return each.type === 'break' ? '\n' : each.children.map(inline).join('');
  };
  const block = (each: Block): string => {
    switch (each.type) {
      case 'code':
        return each.text;
      case 'rule':
        return '';
      case 'quote':
        return each.children.map(block).join('\n');
      case 'list':
        return each.items.map(({ children }) => children.map(block).join('\n')).join('\n');
      case 'table':
        return [each.head, ...each.rows].flat(2).map(inline).join('');
      default:
        return each.children.map(inline).join('');
    }
  };
  return { text: blocks.map(block).join('\n'), links };
}

const types = (source: string) => parseBlocks(source).map(({ type }) => type);

describe('the markdown of messages', () => {
  it('knows what models write', () => {
    const source =
      '# Plan\n\nSome *text*\nhere.\n\n- one\n  - inner\n- [x] done\n\n1. first\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n\n```ts\nconst x = "<b>";\n```';
    expect(types(source)).toEqual(['heading', 'paragraph', 'list', 'list', 'quote', 'table', 'rule', 'code']);
  });

  it('keeps an open fence as code while an answer is being written', () => {
    expect(parseBlocks('Look:\n```js\nlet a').at(-1)).toEqual({
      type: 'code',
      language: 'js',
      text: 'let a',
    });
  });

  it.each(['snake_case_name', '2 * 3 * 4', 'a ** b', '5 < 6 & 7 > 3', '[not a link]', '`open', '**open'])(
    'leaves %s as it is',
    (text) => expect(shown(parseBlocks(text)).text).toBe(text),
  );

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:null/x',
    '//evil.example',
    '/relative',
    'http:',
  ])('makes no link of %j', (address) => {
    expect(safeLink(address)).toBeUndefined();
    expect(shown(parseBlocks(`[here](${address}) and <a href="${address}">x</a>`)).links).toEqual([]);
  });

  it.each(['https://example.com/a?b=c', 'http://localhost:3000', 'mailto:a@b.example'])(
    'links to %s',
    (address) => {
      expect(shown(parseBlocks(`[here](${address})`)).links).toEqual([address]);
    },
  );

  it('never leads anywhere but to the web and to mail, whatever is written', () => {
    const bits = fc.constantFrom(
      '[',
      '](',
      ')',
      'javascript:',
      'https://',
      'x',
      ' ',
      '\n',
      '`',
      '*',
      '_',
      '<',
      '|',
      '-',
      '#',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 60 }), (parts) => {
        for (const link of shown(parseBlocks(parts.join(''))).links)
          expect(link).toMatch(/^(?:https?:|mailto:)/);
      }),
    );
  });

  it('loses no word of a text without marks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z<>&"']{1,12}$/), { minLength: 1, maxLength: 30 }),
        (words) => {
          fc.pre(!words[0]!.startsWith('>'));
          expect(shown(parseBlocks(words.join(' '))).text).toBe(words.join(' '));
        },
      ),
    );
  });

  it.each([
    '*',
    '_',
    '`',
    '[',
    '](',
    '[a](',
    '**a',
    '> ',
    '- ',
    '|',
    '\n',
    '# ',
    '~~',
    '\\',
    'http://',
    '``` ',
  ])('does not slow down with fifty thousand of %j', (bit) => {
    // What grows with the square of its length would take minutes here, and run out of time.
    expect(parseBlocks(bit.repeat(50_000))).toBeInstanceOf(Array);
  });

  it('reads marks that are nested beyond reason', () => {
    const deep = '> '.repeat(2000) + '**_'.repeat(2000);
    expect(() => parseBlocks(deep)).not.toThrow();
    expect(parseInline('**bold `code` _and_ more**')).toHaveLength(1);
  });
});
