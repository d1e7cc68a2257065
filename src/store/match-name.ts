/** Titles are looked up without regard to case or normal form; what is shown is always the title as it was given. */
export function matchName(title: string): string {
  return title.toWellFormed().replaceAll('\0', '').normalize('NFC').trim().toLowerCase();
}
