import { visibleLine } from './terminal/visible-text.ts';
import type { GlobalOptions } from './with-store.ts';

/** A command for a person to copy, on the store that was named. */
export function commandLine(words: readonly string[], { store }: GlobalOptions): string {
  return ['throughline', ...words, ...(store === undefined ? [] : ['--store', quoted(store)])].join(' ');
}

/** A file as a word of a shell. */
export function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${visibleLine(file).replaceAll("'", "'\\''")}'`;
}
