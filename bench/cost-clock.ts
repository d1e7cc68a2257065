/** When requests are made: seconds apart in a turn, a minute between turns, and now and then a person is away. */
export interface Clock {
  readonly now: number;
  /** Since the last request. */
  readonly idle: number;
  readonly isLong: boolean;
  /** One more request. */
  step(): number;
  /** The end of a turn. */
  pause(): void;
}

const STEP_MS = 15_000;
const PAUSE_MS = 45_000;
const AWAY_MS = 30 * 60_000;
const AWAY_EVERY = 20;

export function createClock(): Clock {
  let now = 0;
  let last = 0;
  let turns = 0;
  return {
    get now() {
      return now;
    },
    get idle() {
      return now - last;
    },
    get isLong() {
      return now - last > AWAY_MS / 2;
    },
    step() {
      now += STEP_MS;
      last = now;
      return now;
    },
    pause() {
      turns++;
      now += turns % AWAY_EVERY === 0 ? AWAY_MS : PAUSE_MS;
    },
  };
}
