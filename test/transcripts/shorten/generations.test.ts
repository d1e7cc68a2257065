import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compactFile, type SummaryStyle } from '../../../src/transcripts/shorten/index.ts';
import * as pi from '../formats/pi/records.ts';
import { createFolder } from './folder.ts';

const PLACES =
  'Leeds Bergen Porto Lyon Kazan Bilbao Torino Aarhus Gdansk Izmir Ghent Graz Split Tampere Cork Malmo Varna Pecs Brno'.split(
    ' ',
  );
const THINGS =
  'printer warehouse invoice courier binding proof cover paper toner pallet crate stamp label trailer permit ladder engraver'.split(
    ' ',
  );

/** Talk in which every turn settles another matter, in words of its own. */
function say(file: ReturnType<typeof pi.createFile>, turn: number): void {
  const place = PLACES[turn % PLACES.length]!;
  const thing = THINGS[turn % THINGS.length]!;
  file.user(`Find out what the ${thing} in ${place} costs us in week ${turn}.`);
  file.assistant([
    pi.text(
      `The ${thing} in ${place} costs ${4000 + turn} pounds in week ${turn}, because contract ${turn} runs until then. ` +
        `I wrote it into budget/${place.toLowerCase()}-${turn}.md and the sums add up.`,
    ),
  ]);
}

/** The lines of the summaries, one list for each of five shortenings in a row. */
async function fiveShortenings(style: SummaryStyle): Promise<string[][]> {
  const file = pi.createFile({ version: 3 });
  using place = createFolder('');
  const summaries: string[][] = [];
  let written = 0;
  let turn = 0;
  for (let round = 0; round < 5; round++) {
    for (let n = 0; n < 60; n++) say(file, ++turn);
    appendFileSync(place.file, file.text().slice(written));
    written = file.text().length;
    const { summary } = await compactFile(place.file, {
      ...{ maxLines: 20, keepTurns: 3, style },
      archive: place.archive,
    });
    summaries.push(summary!.split('\n').filter((line) => line.startsWith('- ')));
  }
  return summaries;
}

it('the fifth shortening in a row keeps most of what the first one said, and as much in either form', async () => {
  const own = await fiveShortenings('own');
  const [first, ...later] = own;
  expect(first!.length).toBeGreaterThan(20);
  for (const [at, lines] of later.entries()) {
    const kept = first!.filter((line) => lines.includes(line)).length / first!.length;
    expect([at + 2, kept > 0.5]).toEqual([at + 2, true]);
  }
  for (const [at, lines] of (await fiveShortenings('pair')).entries())
    expect(Math.abs(lines.length / own[at]!.length - 1)).toBeLessThan(0.05);
}, 60_000);
