/** Serialisable; one line for each model that has reported usage. */
type CalibrationState = Readonly<Record<string, ModelCalibration>>;

interface ModelCalibration {
  /** Reported tokens for one estimated token. */
  readonly ratio: number;
  readonly pairs: number;
  /** The newest ratios, oldest first. */
  readonly recent: readonly number[];
}

interface UsagePair {
  readonly model: string;
  /** The estimate for exactly the reported request. */
  readonly estimated: number;
  /** Input tokens that the provider reported for it, those read from and written to its cache included. */
  readonly reported: number;
}

/**
 * Learns how many tokens a model reports for each estimated one. It keeps ratios, never counts: a reported total is
 * used once, against the estimate of the same request, so usage from before a compaction cannot be taken for the size
 * of the context after it. Callers have to estimate the context at hand and correct that.
 */
export interface Calibration {
  observe(pair: UsagePair): void;
  /** An estimate in this model's tokens, rather high than low. Unchanged while the model has reported nothing. */
  correct(model: string, estimated: number): number;
  toJSON(): CalibrationState;
}

/** Below this, the frame of a request weighs more than its text. */
const LEAST_TOKENS = 200;
const LOWEST_RATIO = 0.5;
const HIGHEST_RATIO = 3;
/** The median of so many pairs is believed: one that is far off changes nothing. */
const ENOUGH_PAIRS = 3;
/** Being too low is worse than being too high, so rises are followed faster. */
const RISE = 0.5;
const FALL = 0.2;
/** How far one request may be from the one before it without being counted short. */
const MARGIN = 1.04;

export function createCalibration(state: CalibrationState = {}): Calibration {
  const models = new Map(Object.entries(state));
  return {
    observe({ model, estimated, reported }) {
      const ratio = reported / estimated;
      if (!(estimated >= LEAST_TOKENS) || !(ratio > 0) || !Number.isFinite(ratio)) return;
      models.set(model, follow(models.get(model), Math.min(Math.max(ratio, LOWEST_RATIO), HIGHEST_RATIO)));
    },
    correct(model, estimated) {
      const known = models.get(model);
      return known ? Math.ceil(estimated * known.ratio * MARGIN) : estimated;
    },
    toJSON: () => Object.fromEntries(models),
  };
}

function follow(known: ModelCalibration | undefined, ratio: number): ModelCalibration {
  const recent = [...(known?.recent ?? []), ratio].slice(-ENOUGH_PAIRS);
  const pairs = (known?.pairs ?? 0) + 1;
  const typical = upperMedian(recent);
  // One or two pairs may raise an estimate, but are not enough to lower it.
  if (!known || pairs < ENOUGH_PAIRS) return { ratio: Math.max(1, typical), pairs, recent };
  if (pairs === ENOUGH_PAIRS) return { ratio: typical, pairs, recent };
  const step = typical > known.ratio ? RISE : FALL;
  return { ratio: known.ratio + step * (typical - known.ratio), pairs, recent };
}

function upperMedian(ratios: readonly number[]): number {
  return [...ratios].sort((a, b) => a - b)[Math.floor(ratios.length / 2)]!;
}
