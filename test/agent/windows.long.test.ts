import { describe, it } from 'vitest';
import { checkSeen, RATIOS, simulate, TURNS, WINDOWS, WRITERS } from './window-simulation.ts';

const cells = WINDOWS.flatMap((window) =>
  RATIOS.flatMap((ratio) =>
    TURNS.flatMap((turn) => WRITERS.map((writer) => ({ window, ratio, turn, writer }))),
  ),
);

describe('a long conversation fits, is seldom compacted and keeps its last turn', () => {
  it.each(cells)(
    'in a window of $window tokens with turns of $turn, counted $ratio times as high, by $writer',
    { timeout: 600_000 },
    async (cell) => checkSeen(cell, await simulate(cell)),
  );
});
