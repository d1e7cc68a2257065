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

export function lowerQuartile(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 4)]!;
}

/** The median of each contender's figures, by its name. */
export async function mediansOf<Name extends string>(
  contenders: Record<Name, Contender['round']>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const figures = await interleave(
    names.map((name) => ({ name, round: contenders[name] })),
    rounds,
  );
  return Object.fromEntries(names.map((name) => [name, median(figures.get(name)!)])) as Record<Name, number>;
}

/**
 * Calls the contenders in turn, one call each, and gives the median time of each in milliseconds. For calls so short
 * that the machine's mood changes between two rounds of them. The first quarter warms up and is not counted.
 */
export async function alternate<Name extends string>(
  contenders: Record<Name, (index: number) => Promise<unknown> | unknown>,
  calls: number,
): Promise<Record<Name, number>> {
  const works = Object.entries(contenders) as [Name, (index: number) => Promise<unknown> | unknown][];
  const times = new Map(works.map(([name]) => [name, [] as number[]]));
  for (let index = 0; index < calls; index++) {
    for (const [name, work] of works) {
      const start = performance.now();
      await work(index);
      if (index >= calls / 4) times.get(name)!.push(performance.now() - start);
    }
  }
  return Object.fromEntries(works.map(([name]) => [name, median(times.get(name)!)])) as Record<Name, number>;
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
