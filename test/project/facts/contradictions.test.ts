import { describe, expect, it } from 'vitest';
import { fitFacts } from '../../../src/project/facts/fit-facts.ts';
import { foldFacts } from '../../../src/project/facts/read-memory.ts';
import { showFacts } from '../../../src/project/facts/show-facts.ts';
import { added, idOf, logOf, type Step } from './logs.ts';

const shown = (...steps: readonly Step[]) => showFacts(foldFacts(logOf(steps)));
const between = (a: string, b: string) =>
  shown(added('a', a), added('b', b))[0]!.contradicts.map(({ kind }) => kind);

describe('by their wording, these may contradict each other', () => {
  it.each([
    ['The API listens on port 8080', 'The API listens on port 9090.', 'figure'],
    ['Node version must be at least 22', 'node version must be at least 24', 'value'],
    ['The test runner is jest', 'The test runner is vitest', 'value'],
    ['Database: postgres', 'database = sqlite', 'value'],
    ['The queue uses Redis', 'Queue uses RabbitMQ', 'value'],
    ['Use tabs', 'Never use tabs', 'negation'],
    ["Don't push to main", 'Push to main', 'negation'],
    ['The cache is enabled', 'The cache is not enabled', 'negation'],
    ['端口：8080', '端口：9090', 'value'],
    ['Der Server braucht 4 GB RAM', 'Der Server braucht 8 GB RAM', 'figure'],
  ])('%s / %s', (a, b, kind) => {
    expect(between(a, b)).toEqual([kind]);
    expect(between(b, a)).toEqual([kind]);
  });
});

describe('these say different things', () => {
  it.each([
    ['Issue 12 needs a test', 'Issue 13 needs a test'],
    ['Step 1 is done', 'Step 2 is done'],
    ['The API is written in Go and served by nginx', 'The API is deployed on Fridays only'],
    ['Tests run with vitest', 'Builds run with vite and tsc'],
    ['The port is 8080', 'The port is 8080 by default'],
    ['Use tabs', 'Use spaces in YAML files'],
    ['README.md', '2024'],
  ])('%s / %s', (a, b) => {
    expect(between(a, b)).toEqual([]);
  });
});

describe('two facts in place of one', () => {
  const rivals = [
    added('old', 'Port 1'),
    added('b', 'It is the second', ['old']),
    added('c', 'It is a third', ['old']),
  ];

  it('are both kept and shown', () => {
    const facts = shown(...rivals);
    expect(facts.map(({ text }) => text)).toEqual(['It is the second', 'It is a third']);
    expect(facts.map(({ contradicts }) => contradicts)).toEqual([
      [{ id: idOf('c'), kind: 'rivals', newer: true }],
      [{ id: idOf('b'), kind: 'rivals', newer: false }],
    ]);
  });

  it('are one for a model, which gets the newer; the other is named as left out', () => {
    const { text, leftOut, budget } = fitFacts(shown(...rivals));
    expect(text).toContain('It is a third');
    expect(text).not.toContain('It is the second');
    expect(leftOut).toEqual([{ id: idOf('b'), text: 'It is the second', reason: 'outdone' }]);
    expect([budget.stored, budget.loaded]).toEqual([2, 1]);
  });

  it('are no rivals if they say the same', () => {
    const facts = shown(
      added('old', 'Port 1'),
      added('b', 'It is 2.', ['old']),
      added('c', 'it is 2', ['old']),
    );
    expect(facts.map(({ text, repeats, contradicts }) => ({ text, repeats, contradicts }))).toEqual([
      { text: 'It is 2.', repeats: [idOf('c')], contradicts: [] },
    ]);
  });
});

it('shows what two writers said in the same words once, and both as its source', () => {
  const [fact, ...others] = shown(added('a', 'The  port is 8080.'), added('b', 'the port is 8080'));
  expect([fact?.id, fact?.repeats, fact?.sources.length, others]).toEqual([idOf('a'), [idOf('b')], 2, []]);
});

it('finds them among thousands in no time to speak of', () => {
  const many = Array.from({ length: 5000 }, (_, n) =>
    added(`f${n}`, `Service number ${n} is called s${n % 7}`),
  );
  expect(shown(...many).length).toBe(5000);
});
