import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/text/ledger/extract-ledger.ts';
import { plantedSession } from '../../compaction/planted-session.ts';

describe('planted items of a session', () => {
  it.each([1, 2, 3, 4, 5])('is in the ledger, at least 95 %% of it, with its entry (seed %i)', (seed) => {
    const { entries, planted } = plantedSession(seed, 100);
    const { files, ledger } = extractLedger(entries);
    const found = planted.filter(({ kind, text, entry }) =>
      kind === 'file'
        ? files.some(({ path, from }) => path === text && from?.includes(entry))
        : ledger.some((item) => item.kind === kind && item.text === text && item.entry === entry),
    );
    expect(found.length / planted.length).toBeGreaterThanOrEqual(0.95);
  });

  it('comes out the same every time, in the order of the conversation', () => {
    const { entries } = plantedSession(7, 30);
    const places = new Map(entries.map(({ id }, index) => [id, index]));
    const first = extractLedger(entries);
    expect(extractLedger(entries)).toEqual(first);
    const order = first.ledger
      .filter(({ kind }) => kind === 'command')
      .map(({ entry }) => places.get(entry)!);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('is bounded, the newest kept, however long the session is', () => {
    const { entries } = plantedSession(8, 2000);
    const { files, ledger } = extractLedger(entries);
    expect(files.length).toBeLessThanOrEqual(1000);
    expect(ledger.length).toBeLessThanOrEqual(3000);
    expect(files.at(-1)!.path).toBe('src/part8x1999.ts');
  });
});
