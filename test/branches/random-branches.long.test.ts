import { it } from 'vitest';
import { checkRandomBranches } from './random-branches.ts';

it(
  'a merge does what it said, loses nothing and is done once, over thousands of families',
  () => checkRandomBranches(4000),
  1_200_000,
);
