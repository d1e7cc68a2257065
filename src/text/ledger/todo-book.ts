import type { EntryId, LedgerItem, Todo } from '../../record/index.ts';
import { isAscii } from '../letter-pattern.ts';
import type { TodoState } from '../tool-actions/tool-actions.ts';
import { findTodos } from './find-todos.ts';

/** Which to-dos are open and which are done, as the range tells it from its beginning to its end. */
export interface TodoBook {
  /** To-dos written in a text. */
  add(text: string, entry: EntryId): void;
  /** A tool wrote its whole list: an item of the list before that is missing in this one is gone. */
  replaceList(todos: readonly TodoState[], entry: EntryId): void;
  set(todo: Todo, entry: EntryId): void;
  carry(item: LedgerItem): void;
  list(): LedgerItem[];
}

interface Line {
  readonly text: string;
  readonly done: boolean;
  readonly entry: EntryId;
  /** Lines of a tool's list live and die with that list. */
  readonly listed?: boolean;
  readonly next?: boolean;
}

export function todoBook(): TodoBook {
  const lines = new Map<string, Line>();
  const put = (text: string, line: Omit<Line, 'text'>) => {
    const key = todoKey(text);
    if (!key) return;
    lines.delete(key);
    lines.set(key, { ...line, text });
  };
  const ids = new Map<string, string>();
  return {
    add(text, entry) {
      for (const { text: words, done, next } of findTodos(text)) put(words, { done, entry, next });
    },
    replaceList(todos, entry) {
      const names = new Set(todos.map(({ text }) => todoKey(text)));
      for (const [key, line] of lines) if (line.listed && !line.done && !names.has(key)) lines.delete(key);
      for (const { text, done } of todos) {
        const known = lines.get(todoKey(text));
        if (known?.done !== done || !known.listed) put(text, { done, entry, listed: true });
      }
    },
    set({ id, text, status }, entry) {
      const before = ids.get(id);
      if (before !== undefined) lines.delete(before);
      ids.set(id, todoKey(text));
      if (status === 'removed' || status === 'cancelled') lines.delete(todoKey(text));
      else put(text, { done: status === 'completed', entry });
    },
    carry({ kind, text, entry }) {
      put(text, { done: kind === 'done', entry, next: kind === 'next' });
    },
    list: () =>
      [...lines.values()].map(({ text, done, next, entry }) => ({
        kind: done ? 'done' : next ? 'next' : 'todo',
        text,
        entry,
      })),
  };
}

/** What stands between two words, unless that is one space, as it mostly is: a replacement of each costs more than all else. */
const GAP = /[^\p{L}\p{N}]{2,}|[^\p{L}\p{N} ]/gu;
const ASCII_GAP = /[^a-z0-9]{2,}|[^a-z0-9 ]/g;

/** The same to-do in other punctuation or case is the same to-do. */
export function todoKey(text: string): string {
  const small = text.toLowerCase();
  return small.replace(isAscii(small) ? ASCII_GAP : GAP, ' ').trim();
}
