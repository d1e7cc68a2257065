import type { Access } from '../access.ts';
import { refused } from '../refused.ts';

/** An approval for good holds for every session of the machine. */
export function mustReachAll({ projects }: Access): void {
  if (projects === null) return;
  throw refused('access-denied', 'Your token reaches some projects only: it cannot allow a tool for good.');
}
