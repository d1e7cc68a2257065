/**
 * The other spellings of a UUID, or of the start of one, that ids of a table begin with: only older versions have stored
 * anything but lower case, in whatever case it was given. Each letter costs two look-ups in the index, and a spelling is
 * not followed further than there are ids. Lower case comes first.
 */
export function otherSpellings(
  table: { idFrom(text: string): string | undefined },
  text: string,
): readonly string[] {
  let spellings = [''];
  // Digits and dashes have no case: each piece ends with a letter, or with the text.
  for (const piece of text.match(/[^a-f]*(?:[a-f]|$)/gi) ?? [])
    spellings = spellings.flatMap((start) =>
      [...new Set([piece.toLowerCase(), piece.toUpperCase()])]
        .map((spelled) => start + spelled)
        .filter((longer) => table.idFrom(longer)?.startsWith(longer)),
    );
  return spellings.filter((spelling) => spelling !== text);
}
