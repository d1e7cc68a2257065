/** Titles are looked up without regard to case or normal form; the title is always shown as it was given. */
export function matchName(title: string): string {
  return title.toWellFormed().replaceAll('\0', '').normalize('NFC').trim().toLowerCase();
}
