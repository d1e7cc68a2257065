import { describe, expect, it } from 'vitest';
import { withoutInventions } from '../../../src/compaction/claims/without-inventions.ts';
import { emptySummary } from '../../../src/record/index.ts';
import { assistant, logOf, user } from '../../../src/testing/index.ts';

const line = (text: string) => ({ text, from: [] });
const LENGTH = 100_000;

describe('claims are judged in time', () => {
  const units = ['„', '“', '「', '什么', 'benutzer', 'utilisat', 'ignorier', 'needs a ', 'user has ', '用户'];
  it.each(units)('however often a text repeats %s', (unit) => {
    const text = unit.repeat(LENGTH / unit.length);
    const summary = {
      ...emptySummary('x'),
      decisions: [line(`The user approved it: ${text}`)],
      facts: [line(text), line(`The user asked to rename it. ${text}`)],
    };
    const entries = logOf(assistant(`${text} OK?`), user(`Yes. ${text}`), user(`${text}?`));
    // What grows with the square of its length would take minutes here, and run out of time.
    expect(withoutInventions(summary, { entries })).toBeDefined();
  });

  it('however many of them there are, and however many messages', () => {
    const said =
      'Please rename the billing module, check whether the invoices compile, then push it. '.repeat(3);
    const turns = Array.from({ length: 500 }, (_, n) => [
      assistant(`Shall I delete table ${n}?`),
      user(said),
    ]);
    const lines = (text: string) => Array.from({ length: 60 }, (_, n) => line(`${text} ${n}`));
    const summary = {
      ...emptySummary('x'),
      decisions: lines('The user approved dropping warehouse'),
      pending: lines('The user asked to migrate to Kubernetes server'),
    };
    const entries = logOf(...turns.flat());
    expect(withoutInventions(summary, { entries }).decisions).toEqual([]);
  });
});
