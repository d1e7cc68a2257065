/** As texts are compared: capitals and wide letters mean the same. */
export function plainText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
