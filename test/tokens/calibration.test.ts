import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalibration } from '../../src/tokens/index.ts';

const ESTIMATED = 10_000;

/** A calibration that has seen these ratios of reported to estimated tokens, in this order. */
function calibrated(...ratios: number[]) {
  const calibration = createCalibration();
  for (const ratio of ratios)
    calibration.observe({ model: 'm', estimated: ESTIMATED, reported: ESTIMATED * ratio });
  return calibration;
}

const times = (count: number, ratio: number) => Array.from({ length: count }, () => ratio);

/** How far the corrected estimate is from what would be reported: 0.1 is ten per cent too high. */
const errorAt = (calibration: ReturnType<typeof calibrated>, ratio: number) =>
  calibration.correct('m', ESTIMATED) / (ESTIMATED * ratio) - 1;

describe('calibration', () => {
  it('leaves the estimate alone while a model has reported nothing', () => {
    expect(createCalibration().correct('m', 1234)).toBe(1234);
    expect(calibrated(1.3).correct('another', 1234)).toBe(1234);
  });

  it.each([0.6, 0.8, 1, 1.3, 1.7, 2])('is within 15 %% and not 5 %% below on a steady %d', (ratio) => {
    for (const seen of [3, 5, 50]) {
      const error = errorAt(calibrated(...times(seen, ratio)), ratio);
      expect(error).toBeGreaterThanOrEqual(-0.05);
      expect(error).toBeLessThanOrEqual(0.15);
    }
  });

  it('does not let one or two pairs lower an estimate', () => {
    expect(calibrated(0.6).correct('m', ESTIMATED)).toBeGreaterThanOrEqual(ESTIMATED);
    expect(calibrated(0.6, 0.6).correct('m', ESTIMATED)).toBeGreaterThanOrEqual(ESTIMATED);
  });

  it('raises an estimate with the first pair', () => {
    expect(errorAt(calibrated(1.3), 1.3)).toBeGreaterThanOrEqual(-0.05);
  });

  it('holds while requests differ by a few per cent', () => {
    const steady = fc.array(fc.double({ min: 1.28, max: 1.32, noNaN: true }), {
      minLength: 3,
      maxLength: 40,
    });
    fc.assert(
      fc.property(steady, (ratios) => {
        const calibration = calibrated(...ratios);
        for (const ratio of [1.28, 1.32]) {
          expect(errorAt(calibration, ratio)).toBeGreaterThanOrEqual(-0.05);
          expect(errorAt(calibration, ratio)).toBeLessThanOrEqual(0.15);
        }
      }),
    );
  });

  it.each([10, 0.01])('is not misled by one pair that is %d times off', (outlier) => {
    const calm = calibrated(...times(10, 1.3)).correct('m', ESTIMATED);
    expect(calibrated(...times(10, 1.3), outlier).correct('m', ESTIMATED)).toBeCloseTo(calm, -2);
    expect(Math.abs(errorAt(calibrated(...times(10, 1.3), outlier, ...times(5, 1.3)), 1.3))).toBeLessThan(
      0.15,
    );
  });

  it('follows a model that drifts', () => {
    const drift = Array.from({ length: 60 }, (_, i) => 1 + i / 200);
    const error = errorAt(calibrated(...drift), drift.at(-1)!);
    expect(error).toBeGreaterThanOrEqual(-0.05);
    expect(error).toBeLessThanOrEqual(0.15);
  });

  it('follows a rise within a few calls', () => {
    expect(errorAt(calibrated(...times(20, 1), ...times(6, 1.5)), 1.5)).toBeGreaterThanOrEqual(-0.05);
  });

  it('goes on where it was written down', () => {
    const first = calibrated(...times(8, 1.3));
    const again = createCalibration(JSON.parse(JSON.stringify(first)));
    expect(again.correct('m', 777)).toBe(first.correct('m', 777));
    expect(again.toJSON()).toEqual(first.toJSON());
  });

  it('keeps ratios and no counts, so that nothing from before a compaction can come back', () => {
    const calibration = createCalibration();
    calibration.observe({ model: 'm', estimated: 50_000, reported: 65_000 });
    expect(calibration.correct('m', 1_000)).toBeLessThan(1_500);
  });

  it('stays sound whatever is reported', () => {
    const pair = fc.record({ estimated: fc.double(), reported: fc.double() });
    fc.assert(
      fc.property(fc.array(pair), fc.nat({ max: 10_000_000 }), (pairs, estimated) => {
        const calibration = createCalibration();
        for (const { estimated, reported } of pairs) calibration.observe({ model: 'm', estimated, reported });
        const corrected = calibration.correct('m', estimated);
        expect(Number.isFinite(corrected) && corrected >= 0).toBe(true);
      }),
    );
  });
});
