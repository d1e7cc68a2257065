import { isExact, lineWords, sameLine } from '../summary/index.ts';

/** How much of two lines has to be the same for them to be about one thing. */
const ONE_THING = 0.5;

/**
 * Whether two lines speak of one thing and say different things of it: "Use Redis for sessions" and "Use Postgres for
 * sessions", "Port 8080" and "Port 9090". Found by words alone, so a needless question is answered "both".
 */
export function disagree(a: string, b: string): boolean {
  if (sameLine(a, b)) return false;
  const [one, two] = [lineWords(a), lineWords(b)];
  const shared = one.intersection(two).size;
  const different = [...one.symmetricDifference(two)];
  if (shared > 0 && different.every(isExact)) return true;
  return shared >= 2 && shared / (shared + different.length) >= ONE_THING;
}
