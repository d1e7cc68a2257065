import type { CompactionReason } from '../record/index.ts';
import { sayNumber } from './say-number.ts';

/** For people: the end of a sentence that begins with "because". */
export function sayWhy({ because, trigger, pays }: CompactionReason): string {
  const turns =
    pays === 0 ? 'pays at once' : `pays after ${pays === 1 ? 'a turn' : `${sayNumber(pays ?? 0)} turns`}`;
  switch (because) {
    case 'cost':
      return `from ${sayNumber(trigger)} tokens on waiting is dearer${pays === undefined ? '' : `; it ${turns}`}`;
    case 'cold':
      return `the provider would have to read all of it anew${pays === undefined ? '' : `; it ${turns}`}`;
    case 'lines':
      return 'it has as many entries as its policy allows';
    case 'tokens':
      return `it has the ${sayNumber(Math.round(trigger))} tokens that its policy allows`;
  }
}
