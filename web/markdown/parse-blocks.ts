import { type Inline, parseInline } from './parse-inline.ts';

export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | { readonly type: 'quote'; readonly children: readonly Block[] }
  | { readonly type: 'list'; readonly start: number | undefined; readonly items: readonly ListItem[] }
  | { readonly type: 'table'; readonly head: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly type: 'rule' };
export interface ListItem {
  /** Of a task: whether it is done. */
  readonly done: boolean | undefined;
  readonly children: readonly Block[];
}
export type Cell = readonly Inline[];

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.+?)\s*#*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}> ?/;
const TABLE_LINE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const TASK = /^\[([ xX])\]\s+/;
const DEPTH = 6;

/** The markdown that models write, as data. There is no HTML in it: what looks like a tag is text. */
export function parseBlocks(source: string, depth = 0): Block[] {
  const lines = source.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const [block, next] =
      readFence(lines, at) ??
      readHeading(lines, at) ??
      readRule(lines, at) ??
      (depth < DEPTH ? (readQuote(lines, at, depth) ?? readList(lines, at, depth)) : undefined) ??
      readTable(lines, at) ??
      readParagraph(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

type Reading = readonly [Block, number] | undefined;

function readFence(lines: readonly string[], at: number): Reading {
  const [, fence, language = ''] = FENCE.exec(lines[at]!) ?? [];
  if (fence === undefined) return undefined;
  let end = at + 1;
  while (end < lines.length && !isClosing(lines[end]!, fence)) end += 1;
  return [{ type: 'code', language, text: lines.slice(at + 1, end).join('\n') }, end + 1];
}

function isClosing(line: string, fence: string): boolean {
  const bare = line.trim();
  return bare.length >= fence.length && bare === fence[0]!.repeat(bare.length);
}

function readHeading(lines: readonly string[], at: number): Reading {
  const [, marks, text] = HEADING.exec(lines[at]!) ?? [];
  return marks && text
    ? [{ type: 'heading', level: marks.length, children: parseInline(text) }, at + 1]
    : undefined;
}

function readRule(lines: readonly string[], at: number): Reading {
  return RULE.test(lines[at]!) ? [{ type: 'rule' }, at + 1] : undefined;
}

function readQuote(lines: readonly string[], at: number, depth: number): Reading {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end]!)) end += 1;
  if (end === at) return undefined;
  const inside = lines.slice(at, end).map((line) => line.replace(QUOTE, ''));
  return [{ type: 'quote', children: parseBlocks(inside.join('\n'), depth + 1) }, end];
}

function readList(lines: readonly string[], at: number, depth: number): Reading {
  const first = ITEM.exec(lines[at]!);
  if (!first) return undefined;
  const ordered = first[3] !== undefined;
  const items: ListItem[] = [];
  let end = at;
  while (end < lines.length) {
    const item = ITEM.exec(lines[end]!);
    if (!item || (item[3] !== undefined) !== ordered || item[1]!.length > first[1]!.length + 1) break;
    const indent = item[1]!.length;
    const inside = [item[4]!];
    end += 1;
    while (end < lines.length && belongs(lines, end, indent)) {
      inside.push(lines[end]!.slice(Math.min(lines[end]!.search(/\S|$/), indent + 2)));
      end += 1;
    }
    const task = TASK.exec(inside[0]!);
    if (task) inside[0] = inside[0]!.slice(task[0].length);
    items.push({
      done: task ? task[1] !== ' ' : undefined,
      children: parseBlocks(inside.join('\n'), depth + 1),
    });
    while (lines[end]?.trim() === '' && ITEM.test(lines[end + 1] ?? '')) end += 1;
  }
  return [{ type: 'list', start: ordered ? Number(first[3]) : undefined, items }, end];
}

/** Whether a line goes on with the item above it: it is set in, or it goes on with its paragraph. */
function belongs(lines: readonly string[], at: number, indent: number): boolean {
  const line = lines[at]!;
  if (line.trim() === '') return /^\s/.test(lines[at + 1] ?? '') && (lines[at + 1] ?? '').trim() !== '';
  const depth = line.search(/\S/);
  if (depth > indent) return true;
  const before = lines[at - 1]!.trim();
  return before !== '' && !ITEM.test(line) && !FENCE.test(line) && !HEADING.test(line);
}

function readTable(lines: readonly string[], at: number): Reading {
  if (!lines[at]!.includes('|') || !TABLE_LINE.test(lines[at + 1] ?? '')) return undefined;
  const head = cells(lines[at]!);
  if (cells(lines[at + 1]!).length !== head.length) return undefined;
  let end = at + 2;
  while (end < lines.length && lines[end]!.includes('|') && lines[end]!.trim() !== '') end += 1;
  const rows = lines.slice(at + 2, end).map((line) => {
    const row = cells(line).slice(0, head.length);
    return [...row, ...Array.from({ length: head.length - row.length }, (): Cell => [])];
  });
  return [{ type: 'table', head, rows }, end];
}

function cells(line: string): Cell[] {
  const bare = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return bare.split(/(?<!\\)\|/).map((cell) => parseInline(cell.trim()));
}

function readParagraph(lines: readonly string[], at: number, depth: number): readonly [Block, number] {
  let end = at + 1;
  while (end < lines.length && lines[end]!.trim() !== '' && !startsBlock(lines, end, depth)) end += 1;
  const text = lines.slice(at, end).map((line) => line.trimStart());
  return [{ type: 'paragraph', children: parseInline(text.join('\n')) }, end];
}

function startsBlock(lines: readonly string[], at: number, depth: number): boolean {
  const line = lines[at]!;
  if (FENCE.test(line) || HEADING.test(line) || RULE.test(line)) return true;
  if (depth < DEPTH && (QUOTE.test(line) || /^\s*(?:[-*+]|1[.)])\s/.test(line))) return true;
  return line.includes('|') && TABLE_LINE.test(lines[at + 1] ?? '');
}
