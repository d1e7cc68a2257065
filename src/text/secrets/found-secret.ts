/** Where a secret stands in a text. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  /** What it is the secret of: "github", "private-key". */
  readonly kind: string;
}

/** In order; what reaches into another one is part of it. */
export function apart(found: readonly FoundSecret[]): FoundSecret[] {
  const kept: FoundSecret[] = [];
  for (const secret of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (!last || secret.start >= last.end) kept.push(secret);
    else if (secret.end > last.end) kept[kept.length - 1] = { ...last, end: secret.end };
  }
  return kept;
}
