import { describe, expect, it } from 'vitest';
import { emptySummary } from '../../../src/record/index.ts';
import { compactFile, inspectFile } from '../../../src/transcripts/shorten/index.ts';
import { scripted } from '../../compaction/scripted-summariser.ts';
import { contextOf, createFolder } from './folder.ts';
import { LONG_TURNS, longTurnOfCodex } from './long-turns.ts';

const SETTINGS = { maxLines: 100, keepTurns: 4 };
const STEPS = 200;

describe.each(Object.entries(LONG_TURNS))('a turn of 200 steps of %s', (name, make) => {
  const format = name as keyof typeof LONG_TURNS;

  it.each(['own', 'pair'] as const)(
    'is a summary (%s), its request whole, and its newest steps as they were',
    async (style) => {
      const text = make({ steps: STEPS }).text();
      using place = createFolder(text);
      expect((await inspectFile(place.file, SETTINGS)).reason).toBeUndefined();
      const options = { ...SETTINGS, style, archive: place.archive };
      const done = await compactFile(place.file, options);
      expect(done).toMatchObject({ outcome: 'shortened', steps: 2 * STEPS - 4 });
      expect(place.originals.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([text]);
      const before = await contextOf(format, text);
      const after = await contextOf(format, place.read());
      expect(after.report).toMatchObject({ damage: 0, toolPairs: 4 });
      // A step of four results is two of two, and each of them begins with its answer.
      const kept = before.said.length - before.said.findIndex((line) => line.includes(`a_${STEPS - 1}`));
      expect(after.said.slice(-kept)).toEqual(before.said.slice(-kept));
      expect(after.said.filter((line) => line.includes('Never touch the invoices.')).length).toBeGreaterThan(
        0,
      );
      expect(after.said.at(-kept - 1)).toBe(before.said[0]);
      const once = place.read();
      expect(await compactFile(place.file, options)).toMatchObject({ outcome: 'left', reason: 'short' });
      expect(place.read()).toBe(once);
    },
  );

  it('is made again from the archived original when a model is there', async () => {
    const text = make({ steps: STEPS }).text();
    using place = createFolder(text);
    const original = async () => place.originals[0]?.bytes;
    const options = { ...SETTINGS, archive: place.archive, original };
    await compactFile(place.file, options);
    const summariser = scripted(() => ({ summary: emptySummary('Prices are moved one by one.') }));
    const done = await compactFile(place.file, { ...options, summariser });
    expect(done).toMatchObject({ remade: true, by: { kind: 'model' }, steps: 2 * STEPS - 4 });
    expect((await contextOf(format, place.read())).report).toMatchObject({ damage: 0, toolPairs: 4 });
  });
});

/** A long turn, and short ones behind it. */
function beforeShortTurns({ rolledBack = false } = {}): string {
  const file = longTurnOfCodex({ steps: STEPS });
  if (rolledBack) file.event({ type: 'thread_rolled_back', num_turns: 1 });
  for (let turn = 1; turn <= 2; turn++) {
    file.user(`Question ${turn}: what is left?`);
    file.assistant(`Part ${turn} is left.`);
  }
  return file.text();
}

it('a cut falls inside an older turn where the newest one is short', async () => {
  using place = createFolder(beforeShortTurns());
  const done = await compactFile(place.file, { ...SETTINGS, archive: place.archive });
  expect(done).toMatchObject({ outcome: 'shortened', steps: 2 * STEPS - 4 });
  const { said } = await contextOf('codex', place.read());
  expect(said[0]).toBe('summary');
  expect(said[1]).toContain('Never touch the invoices.');
  expect(said.at(-1)).toContain('Part 2 is left.');
});

it('no cut falls inside a turn that was taken back', async () => {
  using place = createFolder(beforeShortTurns({ rolledBack: true }));
  const done = await compactFile(place.file, { ...SETTINGS, archive: place.archive });
  expect(done).toMatchObject({ outcome: 'left', reason: 'few-turns' });
});
