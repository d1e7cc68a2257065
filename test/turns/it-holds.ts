import { expect, it } from 'vitest';
import { CAN_FILL_DISK, type Outcome, outcomeOf, play, type StartHost } from './play.ts';
import type { Case, Way } from './stage.ts';
import { CAUSES, type Cause, PLACES, ROWS, type Row } from './table.ts';

/** Real processes on a machine that may have other things to do. */
const PATIENCE_MS = 300_000;

/** Causes that share a process: those that happen to single turns do. */
const ALONE: readonly Cause[] = ['kill', 'SIGTERM', 'SIGINT', 'disk'];

export interface HoldsOptions {
  readonly ways: readonly Way[];
  readonly rows?: readonly Row[];
  /** One process plays many sessions, and tells of their turns itself. */
  readonly isServer?: boolean;
}

/** One test for each cause: what came of its rows is what the table says. */
export function itHolds(start: StartHost, { ways, rows = ROWS, isServer = true }: HoldsOptions): void {
  const plays = new Map<string, Promise<Map<Case, Outcome>>>();
  const groupOf = (cause: Cause) => (isServer && !ALONE.includes(cause) ? 'together' : cause);
  const played = (group: string) => {
    const ofGroup = rows.filter(({ cause }) => groupOf(cause) === group);
    const playing = plays.get(group) ?? play(ofGroup, start, { ways, isServer });
    plays.set(group, playing);
    return playing;
  };
  const causes = (Object.keys(CAUSES) as Cause[]).filter(
    (cause) => rows.some((row) => row.cause === cause) && (cause !== 'disk' || CAN_FILL_DISK),
  );
  it.for(causes)('that meets %s is what the table says', { timeout: PATIENCE_MS }, async (cause) => {
    const outcomes = [...(await played(groupOf(cause)))].filter(([{ row }]) => row.cause === cause);
    const name = ({ row, way }: Case) => `${PLACES[row.place]}, ${way}`;
    expect(Object.fromEntries(outcomes.map(([one, outcome]) => [name(one), outcome]))).toEqual(
      Object.fromEntries(outcomes.map(([one]) => [name(one), outcomeOf(one, { isServer })])),
    );
  });
}
