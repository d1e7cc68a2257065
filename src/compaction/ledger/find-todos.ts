import type { TodoState } from './tool-actions.ts';

const CHECKBOX = /^[ \t]{0,40}(?:[-*+]|\d{1,3}[.)])?[ \t]{0,4}\[([ xX✓])\][ \t]+(\S.*)$/gm;
const NOTED = /(?:^|[\s(])(?:TODO|FIXME)(?:\([^)\n]{0,40}\))?:?[ \t]+(\S[^\n]{3,})/gm;
const NEXT =
  /^[ \t*_#>-]{0,20}(?:next steps?|remaining(?: work| tasks?)?|still to do|left to do)(?: (?:is|are|will be))?[ \t*_]{0,4}:?[ \t*_]{0,4}(\S[^\n]{3,})?$/gim;
const BULLET = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(\S.*)$/;
const LONGEST = 200;
const MOST = 40;

/** A to-do in a text. A `next` step is one for now: when the conversation goes on, nobody knows whether it was taken. */
export interface StatedTodo extends TodoState {
  readonly next: boolean;
}

/** To-dos that a text states: checkboxes, "TODO: …", and what follows "Next step(s):". */
export function findTodos(text: string): StatedTodo[] {
  if (!MIGHT.test(text)) return [];
  const found = new Map<string, StatedTodo>();
  const add = (words: string, { done = false, next = false }: { done?: boolean; next?: boolean } = {}) => {
    const clean = words
      .replace(/[*_`]{2,}/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    const short = clean.slice(0, LONGEST).toWellFormed();
    if (clean.length >= 3 && !clean.endsWith(':') && found.size < MOST)
      found.set(short, { text: short, done, next });
  };
  for (const [, mark, words] of text.matchAll(CHECKBOX)) add(words!, { done: mark !== ' ' });
  for (const [, words] of text.matchAll(NOTED)) add(words!);
  for (const match of text.matchAll(NEXT)) {
    if (match[1] && !match[1].endsWith(':')) add(match[1], { next: true });
    else for (const words of bulletsAfter(text, match.index + match[0].length)) add(words, { next: true });
  }
  return [...found.values()];
}

const MIGHT = /\[[ xX✓]\]|TODO|FIXME|next step|remaining|to do/i;

function bulletsAfter(text: string, index: number): string[] {
  const found: string[] = [];
  for (const line of text.slice(index, index + 4000).split('\n')) {
    const bullet = BULLET.exec(line);
    if (bullet && bullet[1] === undefined) found.push(bullet[2]!);
    else if (line.trim() && !bullet && !/^\s/.test(line)) break;
    if (found.length >= 12) break;
  }
  return found;
}
