import { styleText } from 'node:util';
import { layOutTable, type TableColumn } from '../terminal/lay-out-table.ts';
import { createWordWrap } from './wrap-words.ts';

// Paints markdown while it is being written. Nothing that was printed is ever taken back, so possible markup is held until it
// is clear, a character or two, and open markup is closed at the end of the line: half a bold word colours its line and no
// more.

interface MarkdownPainter {
  add(text: string): void;
  /** Ends the line between two words, for something else; what comes then goes on where this was. */
  pause(): void;
  /** Prints held text, closes open markup, and ends the line. */
  end(): void;
}

type Style = 'bold' | 'italic' | 'cyan' | 'dim' | 'underline' | 'strikethrough';

interface PainterOptions {
  /** Columns, as many as there are now; lines are broken between words. */
  readonly width?: () => number;
  /** Where the first line begins. */
  readonly column?: number;
}

export function createMarkdownPainter(
  write: (text: string) => void,
  { width = () => Number.POSITIVE_INFINITY, column = 0 }: PainterOptions = {},
): MarkdownPainter {
  const paint = painter();
  const wrap = Number.isFinite(width()) ? createWordWrap(write, { width, column }) : undefined;
  /** Of the current line: text not printed yet, and the printed part of it. */
  let held = '';
  let before = '';
  let styles: Style[] = [];
  let fence: string | undefined;
  let lineStart = true;
  let dirty = false;
  /** Rows of a table: how wide its columns are is known when it is over. */
  let rows: string[] = [];
  let inTable = false;

  const emit = (text: string) => {
    if (text === '') return;
    dirty = true;
    before = text.at(-1)!;
    const painted = (piece: string) => styles.reduce((one, style) => paint(style, one), piece);
    if (wrap && fence === undefined) wrap.add(text, painted);
    else {
      wrap?.flush();
      write(painted(text));
    }
  };
  const toggle = (style: Style) => {
    styles = styles.includes(style) ? styles.filter((one) => one !== style) : [...styles, style];
  };
  const newline = () => {
    if (inTable) {
      // Printed with the other rows.
      inTable = false;
      return;
    }
    printTable();
    if (wrap) wrap.newline();
    else write('\n');
    [styles, lineStart, before, dirty] = [[], true, '', false];
  };

  function printTable(): void {
    if (rows.length === 0) return;
    const lines = rows;
    rows = [];
    const table = paintTable(lines, { width: width(), paintTitle: (text) => paint('bold', text) });
    wrap?.pause();
    write(`${(table ?? lines).join('\n')}\n`);
  }

  /** Takes clear text from the front of `held`. `last`: nothing more comes on this line. */
  function drain(last: boolean): void {
    while (held !== '') {
      if (lineStart && !takeLineStart(last)) return;
      if (held === '') return;
      if (fence !== undefined) {
        styles = ['cyan'];
        emit(held);
        held = '';
        return;
      }
      if (!takeInline(last)) return;
    }
  }

  function takeLineStart(last: boolean): boolean {
    const mark = /^\s*(`{3,}|~{3,})/.exec(held)?.[1];
    if (fence === undefined && /^\s*\|/.test(held)) {
      if (!last) return false;
      if (isRow(held)) {
        rows.push(held);
        inTable = true;
        held = '';
        return true;
      }
    }
    printTable();
    // A fence is known when its line is: what follows the ticks is the language.
    if (!last && /^\s*(?:`{0,2}|~{0,2}|#{1,6}|[-*+]|>|\d{1,3}[.)]?)$/.test(held)) return false;
    if (mark !== undefined && (fence === undefined || held.trim().startsWith(fence))) {
      if (!last) return false;
      fence = fence === undefined ? mark : undefined;
      styles = ['dim'];
      emit(held);
      held = '';
      return true;
    }
    lineStart = false;
    if (fence !== undefined) return true;
    let lead: string | undefined;
    const [, indent = '', sign = '', rest = ''] = /^(\s*)(#{1,6} |[-*+] |> ?)?([\s\S]*)$/.exec(held) ?? [];
    if (sign.startsWith('#')) styles = ['bold', 'underline'];
    else if (sign.startsWith('>')) {
      styles = ['dim'];
      emit(`${indent}│ `);
      lead = paint('dim', `${indent}│ `);
    } else if (sign !== '') emit(`${indent}• `);
    else emit(indent);
    if (sign !== '' || indent !== '') wrap?.hang(lead);
    held = rest;
    return true;
  }

  /** One piece from the front of the line; false if it has to wait for more. */
  function takeInline(last: boolean): boolean {
    const code = styles.includes('cyan');
    const plain = code ? /^[^`]+/.exec(held) : /^[^`*~[\]\\]+/.exec(held);
    if (plain) return take(plain[0].length, () => emit(plain[0]));
    if (held.startsWith('`')) return take(1, () => toggle('cyan'));
    if (held.startsWith('\\')) {
      if (held.length < 2 && !last) return false;
      const escaped = /^\\[\\`*_[\]#>-]/.test(held);
      return take(escaped ? 2 : 1, (text) => emit(escaped ? text.slice(1) : text));
    }
    if (held.startsWith('*')) return takeStars(last);
    if (held.startsWith('~')) return takeTildes(last);
    return takeLink(last);
  }

  function takeStars(last: boolean): boolean {
    const run = /^\*+/.exec(held)![0].length;
    if (run === held.length && !last) return false;
    const after = held[run] ?? '';
    const opens = after !== '' && !/\s/.test(after);
    const closes = before !== '' && !/\s/.test(before);
    const wanted: Style[] = run >= 3 ? ['bold', 'italic'] : run === 2 ? ['bold'] : ['italic'];
    const open = wanted.every((style) => styles.includes(style));
    if (run <= 3 && (open ? closes : opens)) return take(run, () => wanted.forEach(toggle));
    return take(run, emit);
  }

  function takeTildes(last: boolean): boolean {
    const run = /^~+/.exec(held)![0].length;
    if (run === held.length && !last) return false;
    const beside = styles.includes('strikethrough') ? before : (held[run] ?? '');
    if (run === 2 && /\S/.test(beside)) return take(run, () => toggle('strikethrough'));
    return take(run, emit);
  }

  /** `[words](address)` is printed as words and address; anything else in brackets stays as it is. */
  function takeLink(last: boolean): boolean {
    const link = /^\[([^\][\n]+)\]\(([^()\s]+)\)/.exec(held);
    if (link)
      return take(link[0].length, () => {
        emit(link[1]!);
        if (link[1] !== link[2]) emit(` (${link[2]})`);
      });
    const mayBe = /^\[[^\][\n]{0,200}(?:\](?:\([^()\s]{0,500})?)?$/.test(held);
    if (mayBe && !last) return false;
    return take(1, emit);
  }

  function take(length: number, then: (text: string) => void): true {
    const text = held.slice(0, length);
    held = held.slice(length);
    then(text);
    return true;
  }

  return {
    add(text) {
      const lines = text.split('\n');
      lines.forEach((line, index) => {
        held += line;
        const whole = index < lines.length - 1;
        drain(whole);
        if (whole) newline();
      });
    },
    pause() {
      if (wrap) dirty = wrap.pause();
      else if (dirty) {
        write('\n');
        dirty = false;
      }
    },
    end() {
      drain(true);
      printTable();
      if (dirty) newline();
      fence = undefined;
    },
  };
}

function painter(): (style: Style, text: string) => string {
  const plain = process.env.NO_COLOR || process.env.TERM === 'dumb';
  return (style, text) => (plain ? text : styleText(style, text, { validateStream: false }));
}

/** A line that may be a row of a table: it begins with a bar and has another. */
function isRow(line: string): boolean {
  return /^\s*\|.*\|/.test(line);
}

/** Lines of markdown as an aligned table, the titles first; `undefined` if they are none. */
function paintTable(
  lines: readonly string[],
  { width, paintTitle }: { width: number; paintTitle: (text: string) => string },
): string[] | undefined {
  const [titles = [], rule = [], ...rows] = lines.map(cellsOf);
  if (rule.length === 0 || !rule.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  const columns = titles.map(
    (title, index): TableColumn => ({
      title,
      shrinkTo: [16, 4],
      ...(/[^:]-*:$/.test(rule[index] ?? '') && !rule[index]!.startsWith(':') && { align: 'right' }),
    }),
  );
  return layOutTable(columns, rows, { width, paintTitle });
}

/** What stands between the bars, without the marks that a cell has no room to show. */
function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) =>
    cell
      .trim()
      .replaceAll('\\|', '|')
      .replace(/\*\*(.+?)\*\*|~~(.+?)~~|`(.+?)`/g, (_, ...texts: (string | undefined)[]) =>
        String(texts.slice(0, 3).find((text) => text !== undefined)),
      ),
  );
}
