export interface FixedClock {
  /** Milliseconds since 1970. Needs no `this`, so it can be handed on as it is. */
  readonly now: () => number;
  readonly advance: (ms: number) => void;
}

/** A clock that stands still until it is moved. */
export function fixedClock(start: number = Date.UTC(2025, 11, 30, 11, 21, 53)): FixedClock {
  let time = start;
  return {
    now: () => time,
    advance(ms) {
      time += ms;
    },
  };
}
