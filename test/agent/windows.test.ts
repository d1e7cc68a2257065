import { describe, it } from 'vitest';
import { checkSeen, simulate } from './window-simulation.ts';

describe('a long conversation fits, is seldom compacted and keeps its last turn', () => {
  it.each([
    { window: 4_096, ratio: 1.155, turn: 200, writer: 'digest' },
    { window: 4_096, ratio: 1.5, turn: 200, writer: 'model' },
    { window: 4_096, ratio: 1, turn: 1_000, writer: 'model' },
    { window: 4_096, ratio: 1.5, turn: 30_000, writer: 'digest' },
    { window: 8_192, ratio: 1.3, turn: 1_000, writer: 'model' },
    { window: 8_192, ratio: 0.8, turn: 5_000, writer: 'model' },
    { window: 8_192, ratio: 0.8, turn: 5_000, writer: 'digest' },
    { window: 8_192, ratio: 1, turn: 450, writer: 'digest' },
    { window: 16_384, ratio: 0.8, turn: 5_000, writer: 'model' },
    { window: 16_384, ratio: 1.3, turn: 1_000, writer: 'digest' },
    { window: 32_768, ratio: 1.155, turn: 1_000, writer: 'digest' },
    { window: 32_768, ratio: 1.5, turn: 5_000, writer: 'model' },
    { window: 32_768, ratio: 1.3, turn: 30_000, writer: 'model' },
    { window: 131_072, ratio: 1.5, turn: 30_000, writer: 'digest' },
    { window: 200_000, ratio: 0.8, turn: 30_000, writer: 'model' },
    { window: 1_000_000, ratio: 1.155, turn: 30_000, writer: 'digest' },
  ] as const)(
    'in a window of $window tokens with turns of $turn, counted $ratio times as high, by $writer',
    async (cell) => checkSeen(cell, await simulate(cell)),
  );
});
