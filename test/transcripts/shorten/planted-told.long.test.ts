import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { emptySummary } from '../../../src/record/index.ts';
import { compactFile } from '../../../src/transcripts/shorten/index.ts';
import { EVERY_TELLING, missingIn, TALKS, turnOf } from '../../compaction/planted-talk.ts';
import { scripted } from '../../compaction/scripted-summariser.ts';
import * as pi from '../formats/pi/records.ts';
import { createFolder } from './folder.ts';

const cells = EVERY_TELLING.flatMap((told) =>
  (['own', 'pair'] as const).flatMap((style) =>
    (['the digest', 'a model that forgets'] as const).map((by) => ({ ...told, style, by })),
  ),
);

it.each(cells)(
  'ten facts are in the file after twenty shortenings: $language, $telling, $talk small talk, as $style by $by',
  { timeout: 120_000 },
  async ({ style, by, ...told }) => {
    const file = pi.createFile({ version: 3 });
    using place = createFolder('');
    const forgetful = scripted(() => ({ summary: emptySummary(TALKS[told.language].forgetful) }));
    let written = 0;
    for (let round = 0; round < 20; round++) {
      for (let n = 0; n < 15; n++) {
        const [said, heard] = turnOf(told, round * 15 + n);
        file.user(said);
        file.assistant([pi.text(heard)]);
      }
      const text = file.text();
      appendFileSync(place.file, text.slice(written));
      written = text.length;
      await compactFile(place.file, {
        maxLines: 20,
        keepTurns: 3,
        style,
        archive: place.archive,
        ...(by !== 'the digest' && { summariser: forgetful }),
      });
      expect([round, missingIn(place.read(), told)]).toEqual([round, []]);
    }
  },
);
