import { describe, it } from 'vitest';
import { killAfter } from './kill-turn.ts';
import { UNINTERRUPTED } from './rehearsed-turn.ts';

describe('a process that is killed with SIGKILL', () => {
  it.each(UNINTERRUPTED.map((line, index) => ({ writes: index + 1, line })))(
    'right after write $writes ($line), leaves a turn that ends as if nothing had happened',
    ({ writes }) => killAfter(writes),
  );
});
