import { hash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Summariser } from '../../../src/compaction/index.ts';
import { emptySummary } from '../../../src/record/index.ts';
import { compactFile, inspectFile } from '../../../src/transcripts/shorten/index.ts';
import { contextOf, createFolder } from './folder.ts';
import { LONG_FILES } from './long-files.ts';
import { LONG_OUTPUT, LONG_TURNS } from './long-turns.ts';

const SETTINGS = { maxLines: 30, keepTurns: 4 };

const model: Summariser = {
  name: 'model',
  summarise: async ({ entries }) => ({
    summary: emptySummary(
      `The prices were moved to integers of cents, file by file. ${entries.length} messages: src/price-1.ts to src/price-16.ts.`,
    ),
    by: { kind: 'model', model: 'model' },
  }),
};
const broken: Summariser = { name: 'model', summarise: () => Promise.reject(new Error('401 invalid key')) };

const styles = ['own', 'pair'] as const;
const cases = Object.entries(LONG_FILES).flatMap(([name, one]) =>
  styles.map((style) => ({ name, style, ...one })),
);

describe.each(cases)('a digest in a file of $name, as $style', ({ format, text, style }) => {
  it('is provisional: a model makes the summary again from the archived originals, with newer lines', async () => {
    using place = createFolder(text);
    const original = async (sha256: string) =>
      place.originals.find(({ bytes }) => hash('sha256', bytes) === sha256)?.bytes;
    const options = { ...SETTINGS, style, archive: place.archive, original };
    await compactFile(place.file, options);
    const tail = text.slice(text.lastIndexOf('\n', text.indexOf('"Question 20:')) + 1);
    // In a tree these are a repetition, and still lines that were added.
    const added = tail.replaceAll(/20/g, '21');
    if (format === 'codex') appendFileSync(place.file, added);
    const shortened = place.read();
    expect(await compactFile(place.file, { ...options, summariser: broken })).toMatchObject({
      outcome: 'left',
      reason: 'model-failed',
      failures: [{ reason: '401 invalid key' }, { reason: '401 invalid key' }],
    });
    expect(place.read()).toBe(shortened);
    const done = await compactFile(place.file, { ...options, summariser: model });
    expect(done).toMatchObject({ outcome: 'shortened', remade: true, by: { kind: 'model' } });
    const whole = format === 'codex' ? text + added : text;
    expect(Buffer.from(place.originals.at(-1)!.bytes).toString()).toBe(whole);
    expect(place.read()).toContain('The prices were moved to integers of cents');
    const after = await contextOf(format, place.read());
    expect(after.report).toMatchObject({ damage: 0 });
    expect(place.read()).not.toContain('"by":"digest"');
    expect(await compactFile(place.file, { ...options, summariser: model })).toMatchObject({
      outcome: 'left',
    });
  });
});

it('an original that cannot be had back leaves the digest where it is', async () => {
  const { text } = LONG_FILES['pi, version 3'];
  using place = createFolder(text);
  const options = { ...SETTINGS, archive: place.archive, original: async () => undefined };
  await compactFile(place.file, options);
  expect(await compactFile(place.file, { ...options, summariser: model })).toMatchObject({
    outcome: 'left',
    reason: 'few-turns',
  });
});

describe.each(Object.entries(LONG_TURNS))('a single long turn of %s', (format, make) => {
  it('loses the output of its old tool results, with a pointer to the archive, and nothing else', async () => {
    const text = make({ steps: 20, output: LONG_OUTPUT }).text();
    using place = createFolder(text);
    expect((await inspectFile(place.file, SETTINGS)).reason).toBeUndefined();
    const done = await compactFile(place.file, { ...SETTINGS, archive: place.archive });
    expect(done).toMatchObject({ outcome: 'shortened', elided: 36 });
    expect(done.bytesAfter).toBeLessThan(done.bytesBefore / 2);
    expect(place.originals.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([text]);
    const before = await contextOf(format as keyof typeof LONG_TURNS, text);
    const after = await contextOf(format as keyof typeof LONG_TURNS, place.read());
    expect(after.report).toMatchObject({ damage: 0, toolPairs: before.report.toolPairs });
    expect(after.said).toHaveLength(before.said.length);
    expect(after.said.slice(-6)).toEqual(before.said.slice(-6));
    const sha256 = hash('sha256', text);
    const lines = text.split('\n');
    const noted = place
      .read()
      .split('\n')
      .flatMap((line, at) => {
        const [, found] = /SHA-256 ([0-9a-f]{64})/.exec(line) ?? [];
        return found === undefined ? [] : [{ at, found }];
      });
    expect(noted).toHaveLength(36);
    for (const { at, found } of noted) {
      expect(found).toBe(sha256);
      expect(place.read().split('\n')[at]).toContain(`line ${at + 1} of`);
      expect(lines[at]).toContain('result ');
    }
    const once = readFileSync(place.file);
    const again = await compactFile(place.file, { ...SETTINGS, archive: place.archive });
    expect(again).toMatchObject({ outcome: 'left', reason: 'few-turns' });
    expect(readFileSync(place.file)).toEqual(once);
  });
});

it('says what a model used that wrote no summary that could be used', async () => {
  const { text } = Object.values(LONG_FILES)[0]!;
  using place = createFolder(text);
  const rambling: Summariser = {
    name: 'model',
    async summarise(_, { answered }) {
      answered?.({ inputTokens: 900, outputTokens: 30 });
      throw new Error('it has no record in it');
    },
  };
  const options = { ...SETTINGS, archive: place.archive, summariser: rambling };
  const usage = { inputTokens: 1800, outputTokens: 60 };
  expect(await compactFile(place.file, options)).toMatchObject({ outcome: 'left', usage });
  const instead = await compactFile(place.file, { ...options, orDigest: true });
  expect(instead).toMatchObject({ by: { kind: 'digest' }, usage });
});
