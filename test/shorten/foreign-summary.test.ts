import { expect, it } from 'vitest';
import { compactFile } from '../../src/shorten/index.ts';
import * as pi from '../transcripts/pi/records.ts';
import { createFolder } from './folder.ts';

const TOPICS = [
  'Goal',
  'Constraints & Preferences',
  'Key Decisions',
  'Done',
  'Next Steps',
  'Critical Context',
];

it("a summary by another program's model is carried word for word through a shortening by the digest", async () => {
  const lines = TOPICS.map((topic, at) =>
    Array.from(
      { length: at === 0 ? 3 : 12 },
      (_, n) => `module m${at}x${n} keeps its ${topic.toLowerCase()} in file f${at}y${n}.ts`,
    ),
  );
  const summary = TOPICS.map(
    (topic, at) => `## ${topic}\n${lines[at]!.map((one) => `- ${one}`).join('\n')}`,
  ).join('\n\n');
  const file = pi.createFile({ version: 3 });
  file.user('Begin.');
  file.assistant([pi.text('I begin.')]);
  const kept = file.user('Go on with the parser.');
  file.add('compaction', { summary, firstKeptEntryId: kept, tokensBefore: 9_000 });
  for (let turn = 0; turn < 20; turn++) {
    file.user(`How is part ${turn} doing?`);
    file.assistant([
      pi.text(`Part ${turn} is done, its tests pass. ${'I looked at every line of it. '.repeat(20)}`),
    ]);
  }
  using place = createFolder(file.text());
  const done = await compactFile(place.file, { maxLines: 20, keepTurns: 2, archive: place.archive });
  expect(done.outcome).toBe('shortened');
  expect(lines.flat().filter((one) => !done.summary!.includes(one))).toEqual([]);
});
