/** As texts are compared: whoever writes in capitals or in wide letters says the same. */
export function plainText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
