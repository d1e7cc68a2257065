import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import { addMissing } from '../../../src/compaction/retention/add-missing.ts';
import { hardItems } from '../../../src/compaction/retention/hard-items.ts';
import { measureRetention } from '../../../src/compaction/retention/measure-retention.ts';
import { emptySummary } from '../../../src/record/index.ts';
import { renderSummary } from '../../../src/summary/index.ts';
import { assistant, compaction, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { countText } from '../../../src/tokens/index.ts';
import { anyBody } from '../../record/arbitraries.ts';
import { plantedSession } from '../planted-session.ts';

describe('hard items', () => {
  it.each([
    ['I talked to Ingrid Solberg about it.', 'name', 'Ingrid Solberg'],
    ['we fly to Lisbon tomorrow', 'name', 'Lisbon'],
    ['call `parseDate()` here', 'identifier', 'parseDate()'],
    ['it broke in 9fceb02d again', 'identifier', '9fceb02d'],
    ['see https://example.com/a for it', 'identifier', 'https://example.com/a'],
    ['we need 12 servers', 'figure', '12 servers'],
    ['新しい「プロジェクト桜」を始めます', 'name', 'プロジェクト'],
  ])('%j has the %s %s', (text, kind, item) => {
    expect(hardItems(logOf(user(text)))).toContainEqual(expect.objectContaining({ kind, text: item }));
  });

  it('finds paths in what tools were asked to do, and nothing in what they returned', () => {
    const items = hardItems(
      logOf(
        toolCall('Edit', { file_path: 'src/a.ts' }, { id: '1' }),
        toolResult('Edit', 'see Lisbon and 12 rows', { id: '1' }),
      ),
    );
    expect(items.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['path src/a.ts']);
  });

  it('names nothing by the capital at the start of a sentence', () => {
    expect(hardItems(logOf(user('Parsing works. Nothing else does.')))).toEqual([]);
  });

  it('counts mentions and puts the most mentioned first', () => {
    const items = hardItems(logOf(user('we go to Oslo, then to Bergen'), assistant('yes, to Bergen')));
    expect(items.map(({ text, mentions }) => [text, mentions])).toEqual([
      ['Bergen', 2],
      ['Oslo', 1],
    ]);
  });

  it('looks into summaries that stand in the range', () => {
    const summary = { ...emptySummary(), facts: [{ text: 'moved to Bergen', from: [] }] };
    expect(
      hardItems(logOf(compaction({ covers: { from: 1, to: 2 }, summary }))).map(({ text }) => text),
    ).toContain('Bergen');
  });
});

describe('retention', () => {
  const entries = logOf(
    user('please move 12 servers to Bergen'),
    toolCall('Edit', { file_path: '/repo/src/hosts.ts' }, { id: '1' }),
  );

  it.each([
    ['nothing', '', 0],
    ['the name', 'Bergen', 1 / 3],
    ['the file without its folder', 'hosts.ts', 1 / 3],
    ['everything', '12 servers to bergen, /repo/src/hosts.ts', 1],
    ['a longer number', '112 servers', 0],
    ['a longer word', 'Bergenhus', 0],
  ])('of a summary that says %s', (_, overview, score) => {
    expect(measureRetention(entries, emptySummary(overview)).score).toBeCloseTo(score);
  });

  it('is whole when there was nothing to lose', () => {
    expect(measureRetention(logOf(user('hm')), emptySummary())).toEqual({ score: 1, missing: [] });
  });

  it('is whole once the missing ones were added', () => {
    const { missing } = measureRetention(entries, emptySummary());
    const summary = addMissing(emptySummary(), missing, 500);
    expect(measureRetention(entries, summary).score).toBe(1);
    expect(summary.ledger.every(({ entry }) => entries.some(({ id }) => id === entry))).toBe(true);
  });

  it('adds no more than there is room for', () => {
    fc.assert(
      fc.property(
        fc.array(anyBody, { maxLength: 15 }),
        fc.integer({ min: 30, max: 300 }),
        (bodies, maxTokens) => {
          const log = logOf(...bodies);
          const summary = digestEntries(log, { maxTokens: 30 });
          const { score, missing } = measureRetention(log, summary);
          const added = addMissing(summary, missing, maxTokens);
          expect(countText(renderSummary(added))).toBeLessThanOrEqual(maxTokens);
          expect(measureRetention(log, added).score).toBeGreaterThanOrEqual(score);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('of a digest with room enough is at least 95 % of the planted items', () => {
    const { entries: log, planted } = plantedSession(3, 30);
    const text = renderSummary(digestEntries(log, { maxTokens: 6000 }));
    const kept = planted.filter(
      (item) => text.includes(item.text.replace(/ → (exit \d+)$/, ' ($1)')) || item.kind === 'figure',
    );
    expect(kept.length / planted.length).toBeGreaterThanOrEqual(0.95);
  });
});
