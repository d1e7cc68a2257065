import { expect, it } from 'vitest';
import { emptySummary } from '../../src/record/index.ts';
import { scripted } from '../compaction/scripted-summariser.ts';
import { openWorkshop } from './workshop.ts';

const FACTS = [
  'Never deploy on Fridays, that is my rule.',
  'Decision: amounts are stored in integer cents.',
  'We decided to use Postgres for the ledger.',
  'Always answer in British English.',
  'Decision: the public API keeps the prefix /v2.',
  'Do not use lodash in this repository.',
  'We agreed that sessions expire after 45 minutes.',
  'Decision: backups go to the bucket harbor-cold.',
  'Never log card numbers, not even masked.',
  'We decided to name the service Harbor.',
];

/** A message that is recalled would stand in for a fact that the checkpoint lost. */
const recall = false;
const FORGETFUL = scripted(() => ({ summary: emptySummary('Parts were changed and tested.') }));

it.each([
  { by: 'the digest', how: {} },
  { by: 'a model that forgets', how: { summariser: FORGETFUL } },
])(
  'ten facts of the first ten iterations are in the request of the five hundredth by $by',
  async ({ how }) => {
    await using shop = await openWorkshop({ budget: 4000, recall, ...how });
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    const requests: string[] = [];
    await work.runLoop(id, {
      prompt: (iteration) => FACTS[iteration - 1] ?? `Thanks! And how is part ${iteration} doing?`,
      async ask({ systemPrompt }, { iteration }) {
        requests.push(systemPrompt);
        return iteration <= 10 ? 'Noted, I will keep to that.' : `I changed part ${iteration} as asked.`;
      },
      check: async () => ({ passed: [], failed: ['test'] }),
      maxIterations: 500,
    });
    expect((await work.checkpoint(id)).version).toBeGreaterThan(5);
    const words = (fact: string) => fact.replace(/^Decision: /, '').replace(/\.$/, '');
    const late = requests.filter((_, at) => at >= 20);
    for (const fact of FACTS)
      expect([fact, late.findIndex((request) => !request.includes(words(fact)))]).toEqual([fact, -1]);
  },
  120_000,
);
