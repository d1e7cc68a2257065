/** One line of a benchmark table. `met` is absent where there is no target. */
export interface Row {
  readonly work: string;
  readonly value: string;
  readonly target: string;
  readonly met?: boolean;
}

export interface Contender {
  readonly name: string;
  /** One round: returns the figure of that round, in whatever unit the bench reports. */
  round(): Promise<number> | number;
}

/** Runs the contenders in turn, round by round, so that whatever else the machine does hits all of them alike. */
export async function interleave(
  contenders: readonly Contender[],
  rounds: number,
): Promise<Map<string, number[]>> {
  const figures = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, round: run } of contenders) figures.get(name)!.push(await run());
  }
  return figures;
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Median of the time that each call takes, in milliseconds. */
export async function medianTime(
  calls: number,
  work: (index: number) => Promise<unknown> | unknown,
): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < calls; index++) {
    const start = performance.now();
    await work(index);
    times.push(performance.now() - start);
  }
  return median(times);
}

export function ratioRow(
  work: string,
  { ours, raw, most, unit = 'ms' }: { ours: number; raw: number; most: number; unit?: string },
): Row {
  const ratio = ours / raw;
  return {
    work,
    value: `${format(ours)} ${unit} / ${format(raw)} ${unit} = ${ratio.toFixed(2)} ×`,
    target: `≤ ${most} ×`,
    met: ratio <= most,
  };
}

export function format(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 1 ? value.toFixed(2) : value.toFixed(4);
}
