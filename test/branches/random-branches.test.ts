import { it } from 'vitest';
import { checkRandomBranches } from './random-branches.ts';

it('whatever is said, forked, resumed, compacted and merged, a merge does what it said, loses nothing and is done once', () =>
  checkRandomBranches(60));
