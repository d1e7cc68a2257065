import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_MEMORY, foldFacts, type Memory } from '../../../src/project/facts/read-memory.ts';
import { added, idOf, judged, logOf, proposed, type Step } from './logs.ts';

const statuses = (steps: readonly Step[]) =>
  Object.fromEntries([...foldFacts(logOf(steps)).facts.values()].map(({ text, status }) => [text, status]));

describe('a fact is', () => {
  it.each([
    { steps: [added('a')], is: 'live', because: 'somebody said so' },
    { steps: [added('a'), judged('retracted', 'a')], is: 'retracted', because: 'it was taken back' },
    { steps: [added('a'), added('b', 'b', ['a'])], is: 'superseded', because: 'another stands in for it' },
    { steps: [proposed('a')], is: 'proposed', because: 'nobody has looked at it' },
    { steps: [proposed('a'), judged('accepted', 'a')], is: 'live', because: 'it was accepted' },
    { steps: [proposed('a'), judged('declined', 'a')], is: 'declined', because: 'it was declined' },
    {
      steps: [proposed('a'), judged('accepted', 'a'), judged('declined', 'a')],
      is: 'live',
      because: 'a late "no" takes nothing back',
    },
    {
      steps: [proposed('a'), judged('declined', 'a'), judged('accepted', 'a')],
      is: 'live',
      because: 'somebody changed their mind',
    },
    {
      steps: [added('a'), judged('retracted', 'a'), added('b', 'b', ['a'])],
      is: 'superseded',
      because: 'what stands in for it says more than that it is gone',
    },
    {
      steps: [added('b', 'b', ['a']), added('a')],
      is: 'live',
      because: 'nothing can stand in for what was said later',
    },
  ])('$is, because $because', ({ steps, is }) => {
    expect(statuses(steps)['about a']).toBe(is);
  });
});

it('keeps the judgement of a proposal whose words are in no log, until they are', () => {
  const declined = foldFacts(logOf([judged('declined', 'a')]));
  expect([...declined.judged.keys()]).toEqual([idOf('a')]);
  const known = foldFacts(logOf([judged('declined', 'a'), proposed('a')]));
  expect([known.judged.size, known.facts.get(idOf('a'))?.status]).toEqual([0, 'declined']);
});

/** What a writer does who knows the facts of `base` and its own, and nothing of anybody else. */
function anyWriter(who: string, base: readonly string[]): fc.Arbitrary<Step[]> {
  const pick = (known: readonly string[]) => fc.nat(99).map((n) => known[n % known.length]!);
  const step = (n: number, known: readonly string[]): fc.Arbitrary<Step> =>
    fc.oneof(
      fc.constantFrom('the same words', `words of ${who} ${n}`).map((text) => added(`${who}${n}`, text)),
      pick(known).map((old) => added(`${who}${n}`, `instead of ${old}, ${who} ${n}`, [old])),
      fc
        .tuple(pick(known), fc.constantFrom('retracted', 'accepted', 'declined'))
        .map(([fact, what]) => judged(what as 'retracted', fact, `${who}${n}`)),
      fc.constant(proposed(`${who}${n}`, `maybe ${who} ${n}`)),
    );
  const go = (n: number, known: readonly string[]): fc.Arbitrary<Step[]> =>
    n === 0
      ? fc.constant([])
      : step(n, known).chain((first) => {
          const own = 'text' in first.body ? [...known, first.name] : known;
          return go(n - 1, own).map((rest) => [first, ...rest]);
        });
  return fc.integer({ min: 0, max: 8 }).chain((n) => go(n, base));
}

/** Both writers' steps, each in its own order, mixed as the coin says. */
function interleave(a: readonly Step[], b: readonly Step[], coins: readonly boolean[]): Step[] {
  const mixed: Step[] = [];
  for (let i = 0, j = 0, n = 0; i < a.length || j < b.length; n++) {
    if (j >= b.length || (i < a.length && coins[n % coins.length])) mixed.push(a[i++]!);
    else mixed.push(b[j++]!);
  }
  return mixed;
}

const BASE = [added('x'), added('y'), proposed('z')];
const twoWriters = fc.record({
  a: anyWriter('a', ['x', 'y', 'z']),
  b: anyWriter('b', ['x', 'y', 'z']),
  coins: fc.array(fc.boolean(), { minLength: 1, maxLength: 16 }),
});

/** A log that nobody writes: steps about anything, also about what comes later or does not exist. */
const anyLog = fc
  .array(
    fc.oneof(
      fc.tuple(fc.nat(9), fc.array(fc.nat(9), { maxLength: 3 })).map(([n, old]) =>
        added(
          `f${n}`,
          `text ${n}`,
          old.map((other) => `f${other}`),
        ),
      ),
      fc.nat(9).map((n) => proposed(`f${n}`)),
      fc
        .tuple(fc.nat(9), fc.constantFrom('retracted', 'accepted', 'declined'), fc.nat(999))
        .map(([n, what, salt]) => judged(what as 'retracted', `f${n}`, String(salt))),
    ),
    { maxLength: 30 },
  )
  .map((steps) =>
    steps.filter(({ name }, index) => steps.findIndex((other) => other.name === name) === index),
  );

const plain = ({ facts, judged: verdicts, head }: Memory) => ({
  facts: [...facts],
  judged: [...verdicts],
  head,
});

describe('for any log', () => {
  it('comes to the same whether it is read at once or in pieces', () => {
    fc.assert(
      fc.property(anyLog, fc.array(fc.nat(30), { maxLength: 4 }), (steps, cuts) => {
        const log = logOf(steps);
        const at = [...new Set([0, ...cuts.filter((cut) => cut < log.length), log.length])].sort(
          (a, b) => a - b,
        );
        const pieces = at.slice(1).map((end, index) => log.slice(at[index], end));
        const inPieces = pieces.reduce((memory, piece) => foldFacts(piece, memory), EMPTY_MEMORY);
        expect(plain(inPieces)).toEqual(plain(foldFacts(log)));
      }),
    );
  });

  it('keeps every fact with its words, once', () => {
    fc.assert(
      fc.property(anyLog, (steps) => {
        const stated = steps.flatMap(({ name, body }) => ('text' in body ? [[idOf(name), body.text]] : []));
        const { facts } = foldFacts(logOf(steps));
        expect([...facts.values()].map(({ id, text }) => [id, text])).toEqual(stated);
      }),
    );
  });

  it('has no circle of facts that stand in for each other', () => {
    fc.assert(
      fc.property(anyLog, (steps) => {
        const { facts } = foldFacts(logOf(steps));
        for (const { seq, steps: happened, supersedes } of facts.values()) {
          const successors = happened.flatMap(({ step, entry }) => (step === 'superseded' ? [entry] : []));
          expect(successors.every((id) => facts.get(id)!.seq > seq)).toBe(true);
          expect(supersedes.every((id) => facts.get(id)!.seq < seq)).toBe(true);
        }
      }),
    );
  });
});

describe('two writers who know nothing of each other', () => {
  const outcome = (steps: readonly Step[]) => {
    const { facts } = foldFacts(logOf(steps));
    return Object.fromEntries([...facts.values()].map(({ id, status, text }) => [id, `${status}: ${text}`]));
  };

  it('end with the same facts, however their entries are mixed', () => {
    fc.assert(
      fc.property(twoWriters, ({ a, b, coins }) => {
        const mixed = outcome([...BASE, ...interleave(a, b, coins)]);
        expect(mixed).toEqual(outcome([...BASE, ...a, ...b]));
        expect(mixed).toEqual(outcome([...BASE, ...b, ...a]));
      }),
    );
  });

  it('lose nothing that they added themselves and did not take back', () => {
    fc.assert(
      fc.property(twoWriters, ({ a, b, coins }) => {
        const { facts } = foldFacts(logOf([...BASE, ...interleave(a, b, coins)]));
        for (const own of [a, b]) {
          const ended = new Set(
            own.flatMap(({ body }) =>
              'fact' in body ? (body.step === 'retracted' ? [body.fact] : []) : (body.supersedes ?? []),
            ),
          );
          const kept = own.filter(({ name, body }) => body.step === 'added' && !ended.has(idOf(name)));
          expect(kept.filter(({ name }) => facts.get(idOf(name))?.status !== 'live')).toEqual([]);
        }
      }),
    );
  });
});
