/** How many columns there are for a line. A pipe has no edge, so nothing is cut for it, unless COLUMNS says so. */
export function screenWidth(): number {
  if (process.stdout.isTTY && process.stdout.columns > 0) return process.stdout.columns;
  const columns = Number(process.env.COLUMNS);
  return Number.isInteger(columns) && columns > 0 ? columns : Number.POSITIVE_INFINITY;
}

const FOLDED = 120;

/** For texts folded to one line, which could be of any length, also in a pipe. */
export function foldWidth(): number {
  return Math.min(screenWidth(), FOLDED);
}
