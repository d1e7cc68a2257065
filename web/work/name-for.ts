const LONGEST = 40;

/** A short name for what people call by a title: it stands in the names of sessions and branches. Never one that is taken. */
export function nameFor(
  title: string,
  { taken, otherwise }: { taken: readonly string[]; otherwise: string },
): string {
  const plain = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '');
  const name = plain === '' ? otherwise : plain;
  const used = new Set(taken.map((each) => each.toLowerCase()));
  if (!used.has(name)) return name;
  let number = 2;
  while (used.has(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}
