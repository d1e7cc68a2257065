import { expect, it } from 'vitest';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { emptySummary } from '../../src/record/index.ts';
import { createSession, readFrontier } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { renderSummary } from '../../src/summary/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { EVERY_TELLING, missingIn, TALKS, turnOf } from './planted-talk.ts';
import { scripted } from './scripted-summariser.ts';

const settings = { ...PRESETS.balanced, keep: { messages: 2 } };
const cells = EVERY_TELLING.flatMap((told) =>
  (['the digest', 'a model that forgets'] as const).map((by) => ({ ...told, by })),
);

it.each(cells)(
  'ten facts live through twenty compactions in the store: $language, $telling, $talk small talk, by $by',
  async ({ by, ...told }) => {
    const session = await createSession(createMemoryStore());
    const forgetful = scripted(() => ({ summary: emptySummary(TALKS[told.language].forgetful) }));
    const lost: string[][] = [];
    for (let round = 0; round < 20; round++) {
      const turns = Array.from({ length: 15 }, (_, n) => turnOf(told, round * 15 + n));
      await session.append(turns.flatMap(([said, heard]) => [user(said), assistant(heard)]));
      await compactSession(session, { settings, ...(by !== 'the digest' && { summariser: forgetful }) });
      const records = (await readFrontier(session.store, await session.refresh())).flatMap(({ body }) =>
        body.kind === 'compaction' ? [renderSummary(body.summary)] : [],
      );
      lost.push(missingIn(records.join('\n'), told));
    }
    expect(lost).toEqual(Array.from({ length: 20 }, () => []));
  },
);
