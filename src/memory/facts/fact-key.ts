/** What a line says, whatever its case, spacing and final stop: two lines with one key are the same fact. */
export function factKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s.。!！;；]+$/u, '');
}
