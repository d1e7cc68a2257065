import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { emptySummary } from '../../../src/record/index.ts';
import { compactFile } from '../../../src/transcripts/shorten/index.ts';
import { scripted } from '../../compaction/scripted-summariser.ts';
import * as pi from '../formats/pi/records.ts';
import { createFolder } from './folder.ts';

const FACTS = [
  'Decision: amounts are stored in integer cents.',
  'Never deploy on Fridays, that is my rule.',
  'We decided to use Postgres 16 for the ledger.',
  'Always answer in British English.',
  'Decision: the public API keeps the prefix /v2.',
  'Do not use lodash in this repository.',
  'We agreed that sessions expire after 45 minutes.',
  'Decision: backups go to the bucket harbor-cold.',
  'Never log card numbers, not even masked.',
  'We decided to name the service Harbor.',
];

const FORGETFUL = scripted(() => ({ summary: emptySummary('Parts were changed and tested.') }));

describe.each(['own', 'pair'] as const)('ten facts of the first ten turns, summaries as %s', (style) => {
  it.each([
    { by: 'the digest', how: {} },
    { by: 'a model that forgets', how: { summariser: FORGETFUL } },
  ])(
    'are in the file after 20 shortenings by $by',
    async ({ how }) => {
      const file = pi.createFile({ version: 3 });
      using place = createFolder('');
      let written = 0;
      const flush = () => {
        const text = file.text();
        appendFileSync(place.file, text.slice(written));
        written = text.length;
      };
      const say = (turn: number) => {
        file.user(turn <= 10 ? FACTS[turn - 1]! : `Thanks! And how is part ${turn} doing?`);
        file.assistant([
          pi.text(
            turn <= 10
              ? 'Noted, I will keep to that.'
              : `I changed part ${turn} as asked, ${turn} tests pass now.`,
          ),
        ]);
      };
      let turn = 0;
      for (let round = 1; round <= 20; round++) {
        for (let n = 0; n < 15; n++) say(++turn);
        flush();
        const done = await compactFile(place.file, {
          maxLines: 20,
          keepTurns: 3,
          style,
          archive: place.archive,
          ...how,
        });
        expect(done.outcome).toBe('shortened');
        const text = place.read();
        const alive = FACTS.filter((fact) =>
          text.includes(fact.replace(/^Decision: /, '').replace(/\.$/, '')),
        );
        expect([round, alive]).toEqual([round, FACTS]);
      }
    },
    120_000,
  );
});
