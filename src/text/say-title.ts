const UNTITLED = '(untitled)';

/** The title of a session on one line; what stands in its place where it has none and nothing was asked in it. */
export function sayTitle(title: string, otherwise: string = UNTITLED): string {
  return title.replace(/\s+/g, ' ').trim() || otherwise;
}
