import { safeLink } from './safe-link.ts';

export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis' | 'struck'; readonly children: readonly Inline[] }
  | { readonly type: 'link'; readonly href: string; readonly children: readonly Inline[] }
  | { readonly type: 'break' };

const MARKS = [
  { mark: '**', type: 'strong' },
  { mark: '__', type: 'strong' },
  { mark: '~~', type: 'struck' },
  { mark: '*', type: 'emphasis' },
  { mark: '_', type: 'emphasis' },
] as const;
const DEPTH = 8;
const WORD = /[\p{L}\p{N}]/u;
const BARE_LINK = /^https?:\/\/[^\s<>"'`]+/;

/** What stands in a line. One walk from left to right; marks that are not closed are text. */
export function parseInline(source: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  // Searched marks that are not there any more: without this, a line of ten thousand stars takes its square.
  const gone = new Set<string>();
  let text = '';
  const flush = () => {
    if (text !== '') found.push({ type: 'text', text });
    text = '';
  };
  const add = (inline: Inline) => {
    flush();
    found.push(inline);
  };

  for (let at = 0; at < source.length; ) {
    const rest = source[at]!;
    if (rest === '\\' && /[\\`*_{}[\]()#+\-.!~|<>]/.test(source[at + 1] ?? '')) {
      text += source[at + 1];
      at += 2;
      continue;
    }
    if (rest === '\n') {
      text = text.trimEnd();
      add({ type: 'break' });
      at += 1;
      continue;
    }
    const step =
      (rest === '`' && readCode(source, at, gone)) ||
      (rest === '[' && depth < DEPTH && readLink(source, at, { gone, depth })) ||
      (rest === 'h' && readBareLink(source, at)) ||
      (depth < DEPTH && '*_~'.includes(rest) && readMarked(source, at, { gone, depth })) ||
      undefined;
    if (step) {
      add(step.inline);
      at = step.end;
    } else {
      text += rest;
      at += 1;
    }
  }
  flush();
  return found;
}

interface Step {
  readonly inline: Inline;
  readonly end: number;
}

interface Search {
  readonly gone: Set<string>;
  readonly depth: number;
}

function find(source: string, what: string, from: number, gone: Set<string>): number {
  if (gone.has(what)) return -1;
  const at = source.indexOf(what, from);
  if (at < 0) gone.add(what);
  return at;
}

function readCode(source: string, at: number, gone: Set<string>): Step | undefined {
  let ticks = 1;
  while (source[at + ticks] === '`') ticks += 1;
  const fence = '`'.repeat(ticks);
  const close = find(source, fence, at + ticks, gone);
  if (close < 0) return undefined;
  const inside = source.slice(at + ticks, close);
  const text = /^ .*[^ ].* $/.test(inside) ? inside.slice(1, -1) : inside;
  return { inline: { type: 'code', text }, end: close + ticks };
}

function readLink(source: string, at: number, { gone, depth }: Search): Step | undefined {
  const middle = find(source, '](', at + 1, gone);
  if (middle < 0) return undefined;
  const label = source.slice(at + 1, middle);
  if (label.includes('[') || label.includes('\n')) return undefined;
  const close = find(source, ')', middle + 2, gone);
  if (close < 0) return undefined;
  const [address = ''] = source
    .slice(middle + 2, close)
    .trim()
    .split(/\s/, 1);
  const href = safeLink(address.replace(/^<|>$/g, ''));
  if (href === undefined) return undefined;
  return { inline: { type: 'link', href, children: parseInline(label, depth + 1) }, end: close + 1 };
}

function readBareLink(source: string, at: number): Step | undefined {
  if (at > 0 && WORD.test(source[at - 1]!)) return undefined;
  const found = BARE_LINK.exec(source.slice(at, at + 2048))?.[0].replace(/[.,;:!?)\]}*_~]+$/, '');
  const href = found && safeLink(found);
  if (!href) return undefined;
  return { inline: { type: 'link', href, children: [{ type: 'text', text: href }] }, end: at + href.length };
}

function readMarked(source: string, at: number, { gone, depth }: Search): Step | undefined {
  const found = MARKS.find(({ mark }) => source.startsWith(mark, at));
  if (!found) return undefined;
  const { mark, type } = found;
  const start = at + mark.length;
  // snake_case_names and 2 * 3 * 4 are not emphasis.
  if (/\s/.test(source[start] ?? ' ') || source[start] === mark[0]) return undefined;
  if (mark[0] === '_' && at > 0 && WORD.test(source[at - 1]!)) return undefined;
  for (let from = start + 1, tries = 0; tries < 4; tries++) {
    const close = find(source, mark, from, gone);
    if (close < 0) return undefined;
    const ends = !/\s/.test(source[close - 1]!) && !(mark[0] === '_' && WORD.test(source[close + 1] ?? ''));
    const whole = mark.length === 2 || (source[close + 1] !== mark && source[close - 1] !== mark);
    if (ends && whole)
      return {
        inline: { type, children: parseInline(source.slice(start, close), depth + 1) },
        end: close + mark.length,
      };
    from = close + mark.length;
  }
  return undefined;
}
