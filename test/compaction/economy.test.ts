import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOfRequests } from '../../src/compaction/economy/money.ts';
import {
  checkTrigger,
  type Load,
  type Money,
  PRESETS,
  triggerOf,
  USUAL_PACE,
  whyNow,
} from '../../src/compaction/index.ts';
import { sayWhy } from '../../src/text/index.ts';

const price = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };
const money: Money = { price, pace: USUAL_PACE, cold: false, writer: 'chat' };
const load = (tokens: number, more: Partial<Load> = {}): Load => ({
  tokens,
  room: 192_000,
  messages: 100,
  lines: 100,
  fixed: 6_000,
  money,
  ...more,
});
const { balanced, frugal, everything } = PRESETS;

/** Dollars of a request on an average over a long session that is compacted at so many tokens: counted request by request. */
function counted(trigger: number, { read = 0.1, write = 1.25, summary = 2_000 } = {}): number {
  const { growth, output, steps, away } = USUAL_PACE;
  const kept = Math.min(20_000, 0.4 * (trigger - 6_000)) - (steps * growth) / 2;
  let context = kept + 6_000;
  let paid = 0;
  let requests = 0;
  for (let compactions = 0; compactions < 20; requests++) {
    const isCold = requests % Math.round(1 / away) === 0;
    paid += context * (isCold ? write : read) + growth * write + output * price.output;
    context += growth;
    if (context < trigger) continue;
    paid += context * read + 700 * write + summary * price.output;
    context = kept + 6_000 + 3 * summary;
    paid += (context - 6_000 - 1.5 * summary) * (write - read);
    compactions++;
  }
  return paid / requests;
}

describe('the trigger by cost', () => {
  it('is the one that a session counted request by request is cheapest with', () => {
    const cost = { over: 0, from: 60_000 };
    const { tokens } = triggerOf(load(0), { ...balanced, trigger: { share: 0.8, cost } });
    const least = Math.min(...Array.from({ length: 36 }, (_, n) => counted(60_000 + n * 3_000)));
    expect(counted(tokens)).toBeLessThan(least * 1.03);
    expect(counted(153_600)).toBeGreaterThan(least * 1.2);
  });

  it('is the same whatever the window, and in a small window the room decides as before', () => {
    const large = triggerOf(load(0, { room: 992_000 }), balanced);
    expect(large).toMatchObject({ because: 'cost', tokens: triggerOf(load(0), balanced).tokens });
    expect(triggerOf(load(0, { room: 30_000 }), balanced)).toMatchObject({
      because: 'tokens',
      tokens: 24_000,
    });
  });

  it('is later the more a person wants to keep in sight', () => {
    const [least, usual, most] = [frugal, balanced, everything].map(
      (preset) => triggerOf(load(0), preset).tokens,
    );
    expect(least).toBeLessThan(usual!);
    expect(usual).toBeLessThan(most!);
    expect(most).toBeCloseTo(0.9 * 192_000);
  });

  it('comes sooner where reading is dear, and later where a summary is', () => {
    const of = (changed: Partial<Money>) =>
      triggerOf(load(0, { money: { ...money, ...changed } }), frugal).tokens;
    expect(of({ price: { ...price, cacheRead: 0.4 } })).toBeLessThan(of({}));
    expect(of({ pace: { ...USUAL_PACE, cached: 0.2 } })).toBeLessThan(of({}));
    expect(of({ writer: { input: 10, output: 50 } })).toBeGreaterThan(of({}));
  });

  it('comes sooner where a person is often away for longer than the cache is kept', () => {
    const { tokens } = triggerOf(load(0), frugal);
    const pace = { ...USUAL_PACE, away: 0.3 };
    expect(triggerOf(load(0, { money: { ...money, pace } }), frugal).tokens).toBeLessThan(tokens);
  });

  it('comes before requests that are dearer for their length', () => {
    const cheap = { input: 1, output: 5, cacheRead: 0.001, cacheWrite: 4 };
    const long = { above: 200_000, input: 2, output: 10, cacheRead: 0.2, cacheWrite: 8 };
    const pace = { ...USUAL_PACE, away: 0 };
    const of = (price: Money['price']) =>
      triggerOf(load(0, { room: 992_000, money: { ...money, pace, price } }), {
        ...balanced,
        keep: { tokens: 100_000 },
      }).tokens;
    expect(of(cheap)).toBeGreaterThan(300_000);
    expect(of({ ...cheap, long })).toBeLessThan(210_000);
  });

  it('is never in the way of instructions and tools that fill most of it', () => {
    const full = load(90_000, { fixed: 80_000 });
    const { tokens } = triggerOf(full, balanced);
    expect(80_000).toBeLessThan(tokens * 0.75);
  });
});

describe('the cost of requests', () => {
  it('is that of each of them, with a higher price for those that are longer than so many tokens', () => {
    const long = { above: 50_000, input: 2, output: 15, cacheRead: 0.2, cacheWrite: 2.5 };
    const pace = { steps: 3, growth: 1_000, output: 300, cached: 1, away: 0 };
    const at = (price: Money['price'], from: number, requests: number, cold = false) =>
      costOfRequests({ price, pace }, { from, requests, cold });
    const both = { ...price, long };
    fc.assert(
      fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 60 }), fc.boolean(), (from, requests, cold) => {
        const one = (n: number) =>
          at(from + n * 1_000 > long.above ? long : price, from + n * 1_000, 1, cold && n === 0);
        const sum = Array.from({ length: requests }, (_, n) => one(n)).reduce((all, cost) => all + cost, 0);
        expect(at(both, from, requests, cold)).toBeCloseTo(sum, 9);
      }),
    );
  });
});

describe('without prices', () => {
  it.each(['balanced', 'frugal'] as const)('%s goes by the window alone', (name) => {
    const { money: _, ...unpriced } = load(100_000);
    expect(triggerOf(unpriced, PRESETS[name])).toMatchObject({ because: 'tokens', tokens: 153_600 });
    expect(checkTrigger(unpriced, PRESETS[name])).toBe('none');
    expect(whyNow(unpriced, PRESETS[name])).toEqual({
      because: 'tokens',
      context: 100_000,
      trigger: 153_600,
    });
  });
});

describe('a cache', () => {
  const cold = { ...money, cold: true };

  it('that is warm makes waiting cheaper, and one that has expired makes it the time to compact', () => {
    const tokens = triggerOf(load(0), balanced).tokens - 8_000;
    expect(checkTrigger(load(tokens), balanced)).not.toBe('hard');
    expect(checkTrigger(load(tokens, { money: cold }), balanced)).toBe('hard');
    expect(triggerOf(load(tokens, { money: cold }), balanced).because).toBe('cold');
  });

  it('that has expired is no reason where little is read anew', () => {
    expect(checkTrigger(load(20_000, { money: cold }), frugal)).toBe('none');
    expect(checkTrigger(load(40_000, { money: cold }), balanced)).toBe('none');
  });
});

describe('the reason', () => {
  it('says what a turn costs before and after, and when the compaction has paid for itself', () => {
    const why = whyNow(load(130_000), balanced);
    expect(why.because).toBe('cost');
    expect(why.turn!.after).toBeLessThan(why.turn!.before);
    expect(why.pays).toBeGreaterThan(0);
    expect(sayWhy(why)).toMatch(/^from [\d,]+ tokens on waiting is dearer; it pays after \d+ turns$/);
  });

  it('of a cold cache says so', () => {
    const why = whyNow(load(84_000, { money: { ...money, cold: true } }), balanced);
    expect(why).toMatchObject({ because: 'cold', context: 84_000 });
    expect(sayWhy(why)).toContain('would have to read all of it anew; it pays');
  });
});
