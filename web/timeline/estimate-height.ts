import { readPart } from '../../src/faces/rpc/client/index.ts';
import type { Row } from './build-rows.ts';
import { textOf } from './read-parts.ts';

const HEIGHTS: Record<Exclude<Row['kind'], 'message'>, number> = {
  start: 56,
  live: 96,
  tools: 40,
  card: 250,
  earlier: 48,
  more: 48,
  'card-end': 36,
};

const DAY = 40;

/** How tall a row is likely to be. The nearer the guess, the less the page moves when it turns out. */
export function estimateHeight(row: Row | undefined): number {
  if (!row) return 80;
  if (row.kind !== 'message') return HEIGHTS[row.kind];
  const lines = row.message.parts
    .filter((part) => readPart(part).kind === 'said')
    .flatMap((part) => textOf(part).slice(0, 12_000).split('\n'))
    .reduce((sum, line) => sum + Math.max(0.6, Math.ceil(line.length / 88)), 0);
  return 42 + lines * 24 + (row.message.role === 'user' ? 26 : 0) + (row.day === undefined ? 0 : DAY);
}
