import { describe, expect, it } from 'vitest';
import { FORMAT_VERSION, LIFTS, type Lift, liftBody } from '../../src/record/index.ts';

// A made-up history: version 1 said `note`, 2 called it `remark`, 3 gave it an author.
const lifts: Record<number, Lift> = {
  1: ({ kind, ...rest }) => ({ ...rest, kind: kind === 'note' ? 'remark' : kind }),
  2: (body) => (body.kind === 'remark' ? { ...body, by: 'nobody' } : body),
};

describe('lifting a body', () => {
  it.each([
    { from: 1, body: { kind: 'note', text: 'a' }, lifted: { kind: 'remark', text: 'a', by: 'nobody' } },
    { from: 2, body: { kind: 'remark', text: 'a' }, lifted: { kind: 'remark', text: 'a', by: 'nobody' } },
    { from: 3, body: { kind: 'remark', text: 'a' }, lifted: { kind: 'remark', text: 'a' } },
    { from: 1, body: { kind: 'message' }, lifted: { kind: 'message' } },
  ])('goes from version $from through every version in between', ({ from, body, lifted }) => {
    expect(liftBody(body, from, { lifts, to: 3 })).toEqual(lifted);
  });

  it('leaves the stored body as it was', () => {
    const stored = Object.freeze({ kind: 'note', text: 'a' });
    liftBody(stored, 1, { lifts, to: 3 });
    expect(stored).toEqual({ kind: 'note', text: 'a' });
  });

  it('throws rather than skip a version that it cannot lift', () => {
    expect(() => liftBody({ kind: 'note' }, 1, { lifts: { 2: lifts[2]! }, to: 3 })).toThrow(/version 1 to 2/);
    expect(() => liftBody({ kind: 'note' }, 0)).toThrow(/version 0 to 1/);
  });

  it('leaves a body of the current version alone', () => {
    const body = { kind: 'message' };
    expect(liftBody(body, FORMAT_VERSION)).toBe(body);
  });

  it('has a way up from every version that was ever released', () => {
    const released = Array.from({ length: FORMAT_VERSION - 1 }, (_, index) => String(index + 1));
    expect(Object.keys(LIFTS)).toEqual(released);
  });
});
