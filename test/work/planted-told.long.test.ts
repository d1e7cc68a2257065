import { expect, it } from 'vitest';
import { emptySummary } from '../../src/record/index.ts';
import { EVERY_TELLING, missingIn, TALKS, turnOf } from '../compaction/planted-talk.ts';
import { scripted } from '../compaction/scripted-summariser.ts';
import { openWorkshop } from './workshop.ts';

const cells = EVERY_TELLING.flatMap((told) =>
  (['the digest', 'a model that forgets'] as const).map((by) => ({ ...told, by })),
);

it.each(cells)(
  'ten facts are in the request of the five hundredth iteration: $language, $telling, $talk small talk, by $by',
  { timeout: 300_000 },
  async ({ by, ...told }) => {
    const forgetful = scripted(() => ({ summary: emptySummary(TALKS[told.language].forgetful) }));
    // A message that is recalled would stand in for a fact that the checkpoint lost.
    await using shop = await openWorkshop({
      budget: 4000,
      recall: false,
      ...(by !== 'the digest' && { summariser: forgetful }),
    });
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    const lost = new Set<string>();
    await work.runLoop(id, {
      prompt: (iteration) => turnOf(told, iteration - 1)[0],
      async ask({ systemPrompt }, { iteration }) {
        if (iteration > 20) for (const mark of missingIn(systemPrompt, told)) lost.add(mark);
        return turnOf(told, iteration - 1)[1];
      },
      check: async () => ({ passed: [], failed: ['test'] }),
      maxIterations: 500,
    });
    expect((await work.checkpoint(id)).version).toBeGreaterThan(4);
    expect([...lost]).toEqual([]);
  },
);
