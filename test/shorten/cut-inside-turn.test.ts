import { describe, expect, it } from 'vitest';
import { emptySummary } from '../../src/record/index.ts';
import { compactFile, inspectFile } from '../../src/shorten/index.ts';
import { scripted } from '../compaction/scripted-summariser.ts';
import * as claude from '../transcripts/claude-code/lines.ts';
import * as codex from '../transcripts/codex/rollouts.ts';
import * as pi from '../transcripts/pi/records.ts';
import { contextOf, createFolder } from './folder.ts';

const SETTINGS = { maxLines: 100, keepTurns: 4 };
const REQUEST = `Move every price to integers of cents.\nNever touch the invoices. ${'Look at each file. '.repeat(30)}`;
const STEPS = 200;

/** One request and two hundred steps, each of two calls at once. */
const SINGLE = {
  pi: () => {
    const file = pi.createFile({ version: 3 });
    file.user(REQUEST);
    for (let step = 1; step <= STEPS; step++) {
      file.assistant([
        pi.text(`Step ${step}: price-${step}.ts is next.`),
        pi.call(`a_${step}`, { command: `cat ${step}.ts` }),
        pi.call(`b_${step}`, { command: `npm test ${step}` }),
      ]);
      file.result(`a_${step}`, `price ${step}`);
      file.result(`b_${step}`, `passed ${step}`);
    }
    return file;
  },
  'claude-code': () => {
    const file = claude.createFile();
    file.prompt(REQUEST);
    for (let step = 1; step <= STEPS; step++) {
      file.reply(`msg_${step}`, claude.text(`Step ${step}: price-${step}.ts is next.`));
      file.reply(`msg_${step}`, claude.call(`a_${step}`, 'Read', { file_path: `${step}.ts` }));
      file.reply(`msg_${step}`, claude.call(`b_${step}`, 'Bash', { command: `npm test ${step}` }));
      file.result(`a_${step}`, `price ${step}`);
      file.result(`b_${step}`, `passed ${step}`);
    }
    return file;
  },
  codex: () => {
    const file = codex.createRollout();
    file.user(REQUEST);
    for (let step = 1; step <= STEPS; step++) {
      file.call(`a_${step}`, `{"command":"cat ${step}.ts"}`);
      file.call(`b_${step}`, `{"command":"npm test ${step}"}`);
      file.output(`a_${step}`, `price ${step}`);
      file.output(`b_${step}`, `passed ${step}`);
    }
    return file;
  },
} as const;

describe.each(Object.entries(SINGLE))('a turn of 200 steps of %s', (name, make) => {
  const format = name as keyof typeof SINGLE;

  it.each(['own', 'pair'] as const)(
    'is a summary (%s), its request whole, and its newest steps as they were',
    async (style) => {
      const text = make().text();
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
    const text = make().text();
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
