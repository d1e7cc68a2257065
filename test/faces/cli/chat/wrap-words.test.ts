import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarkdownPainter } from '../../../../src/faces/cli/chat/paint-markdown.ts';
import { textWidth } from '../../../../src/faces/cli/terminal/text-width.ts';

interface Painting {
  readonly width: number;
  readonly column?: number;
  readonly cuts?: readonly number[];
}

function painted(text: string, { width, column = 0, cuts = [] }: Painting): string {
  let out = '';
  const write = (piece: string) => {
    out += piece;
  };
  const painter = createMarkdownPainter(write, { width: () => width, column });
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    painter.add(text.slice(from, cut));
    from = cut;
  }
  painter.add(text.slice(from));
  painter.end();
  return stripVTControlCharacters(out);
}

describe('an answer on a narrow screen', () => {
  it('is broken between words, behind the name of who speaks', () => {
    const text = 'nobody has thought about this.';
    expect(painted(text, { width: 20, column: 11 })).toBe('nobody\nhas thought about\nthis.\n');
  });

  it('goes on below the words of its list', () => {
    expect(painted('- one two three four\n\nAnd then', { width: 12 })).toBe(
      '• one two\n  three four\n\nAnd then\n',
    );
  });

  it('leaves code as it is', () => {
    const code = '```ts\nconst somethingLong = 1 + 2 + 3;\n```\n';
    expect(painted(code, { width: 12 })).toBe(code);
  });

  it('has every word, no line that is too long, and is the same however it comes', () => {
    const words = fc.array(
      fc.constantFrom('a', 'word', 'longer', '**bold**', '`code`', '日本', '👋', '\n', '- item', '*'),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(
        words.map((list) => list.join(' ')),
        fc.integer({ min: 12, max: 40 }),
        fc.array(fc.nat(120), { maxLength: 5 }),
        (text, width, cuts) => {
          const out = painted(text, { width });
          expect(painted(text, { width, cuts })).toBe(out);
          const flat = painted(text, { width: Number.POSITIVE_INFINITY });
          expect(out.replace(/\s+/g, '')).toBe(flat.replace(/\s+/g, ''));
          for (const line of out.split('\n')) expect(textWidth(line.trimEnd())).toBeLessThanOrEqual(width);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps the bar of a quote on every line of it', () => {
    expect(painted('> one two three four\nfive', { width: 12 })).toBe('│ one two\n│ three four\nfive\n');
  });

  it('goes by the width that the window has now', () => {
    let width = 40;
    let out = '';
    const painter = createMarkdownPainter(
      (piece) => {
        out += piece;
      },
      { width: () => width },
    );
    painter.add('one two three\n');
    width = 8;
    painter.add('one two three\n');
    painter.end();
    expect(stripVTControlCharacters(out)).toBe('one two three\none two\nthree\n');
  });

  it('can be interrupted between two words, never inside one', () => {
    let out = '';
    const write = (piece: string) => {
      out += piece;
    };
    const painter = createMarkdownPainter(write, { width: () => 40 });
    painter.add('some wor');
    painter.pause();
    write('(kept)\n');
    painter.add('d67 and more');
    painter.end();
    expect(stripVTControlCharacters(out)).toBe('some\n(kept)\nword67 and more\n');
    // And where nothing has to be broken, nothing is.
    painter.pause();
    painter.end();
    expect(stripVTControlCharacters(out)).toBe('some\n(kept)\nword67 and more\n');
  });
});

describe('a table in an answer', () => {
  const TABLE = '| Name | Count |\n|---|--:|\n| **apple** | 1 |\n| a \\| b | 200 |\n';

  it.each([[[]], [[1, 5, 9, 13, 20, 30, 44]]])('is laid out once it is whole, in pieces %j', (cuts) => {
    const rows = 'Name   Count\napple      1\na | b    200\n';
    expect(painted(`Here:\n${TABLE}\nDone.`, { width: 40, cuts })).toBe(`Here:\n${rows}\nDone.\n`);
    expect(painted(`Here:\n${TABLE}Done.`, { width: 40, cuts })).toBe(`Here:\n${rows}Done.\n`);
    expect(painted(TABLE, { width: 40, column: 11, cuts })).toBe(`\n${rows}`);
  });

  it('fits the screen', () => {
    const wide = `| a | b |\n|---|---|\n| ${'x'.repeat(50)} | ${'y'.repeat(50)} |\n`;
    for (const line of painted(wide, { width: 30 }).split('\n'))
      expect(textWidth(line)).toBeLessThanOrEqual(30);
  });

  it.each(['| not a table\n', '| a | b |\nno rule\n', '```\n| a | b |\n```\n'])('is none: %j', (text) => {
    expect(painted(text, { width: 40 })).toBe(text);
  });
});
