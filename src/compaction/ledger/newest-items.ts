import type { EntryId, LedgerItem, SummaryFile } from '../../record/index.ts';

/** At most this many of a kind; the oldest go first. A range holds thousands of figures, a summary has no use for them. */
const MOST: Readonly<Record<string, number>> = {
  command: 600,
  error: 300,
  figure: 600,
  url: 300,
  identifier: 400,
  decision: 200,
  todo: 200,
  done: 200,
};
const MOST_OTHERS = 200;
const MOST_FILES = 1000;

export interface ItemList {
  /** The newest mention of the same text wins, and moves to the end. `key` says what "the same" is. */
  add(item: LedgerItem, key?: string): void;
  list(): LedgerItem[];
}

export function newestItems(): ItemList {
  const kinds = new Map<string, Map<string, { order: number; item: LedgerItem }>>();
  let order = 0;
  return {
    add(item, key = item.text.toLowerCase()) {
      const items = kinds.get(item.kind) ?? new Map<string, { order: number; item: LedgerItem }>();
      kinds.set(item.kind, items);
      items.delete(key);
      items.set(key, { order: order++, item });
      if (items.size > (MOST[item.kind] ?? MOST_OTHERS)) items.delete(items.keys().next().value!);
    },
    list: () =>
      [...kinds.values()]
        .flatMap((items) => [...items.values()])
        .sort((a, b) => a.order - b.order)
        .map(({ item }) => item),
  };
}

export interface FileList {
  add(path: string, operations: readonly string[], from: readonly EntryId[]): void;
  /** Oldest touch first, so that the newest stay when a list is cut from its beginning. */
  list(): SummaryFile[];
}

export function newestFiles(): FileList {
  const files = new Map<
    string,
    { operations: Set<string>; first: readonly EntryId[]; last: EntryId | undefined }
  >();
  return {
    add(path, operations, from) {
      const known = files.get(path);
      files.delete(path);
      files.set(path, {
        operations: new Set([...(known?.operations ?? []), ...operations]),
        first: known?.first.length ? known.first : from.slice(0, 1),
        last: from.at(-1) ?? known?.last,
      });
      if (files.size > MOST_FILES) files.delete(files.keys().next().value!);
    },
    list: () =>
      [...files].map(([path, { operations, first, last }]) => ({
        path,
        operations: [...operations],
        from: [...new Set([...first, ...(last === undefined ? [] : [last])])],
      })),
  };
}
