import { expect, it } from 'vitest';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { emptySummary } from '../../src/record/index.ts';
import { createSession, readFrontier } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { renderSummary } from '../../src/summary/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { scripted } from './scripted-summariser.ts';

const FACTS = [
  ['Never deploy on Fridays, that is my rule.', 'deploy on Fridays'],
  ['We decided to store amounts in integer cents.', 'integer cents'],
  ['Always use pnpm in this repository, never npm.', 'pnpm'],
  ['The staging database is on port 5433.', '5433'],
  ['My sister Ingrid reviews the translations.', 'Ingrid'],
  ["Let's use Postgres instead of Redis for the queue.", 'Postgres'],
  ['Remind me to ask Miriam about the certificates.', 'Miriam'],
  ['The client is called Nordhaus and pays in Danish kroner.', 'Nordhaus'],
  ['Do not touch the folder legacy-billing.', 'legacy-billing'],
  ['The release is planned for the 14th of June.', '14th of June'],
] as const;

const SMALL_TALK = [
  ['How is the weather over there?', 'Grey, as always.'],
  ['I had a good coffee just now.', 'That sounds nice.'],
  ['The train was late again today.', 'How annoying.'],
  ['Do you like jazz?', 'I know a lot about it.'],
  ['My plants are growing well.', 'Good to hear.'],
] as const;

const FORGETFUL = scripted(() => ({ summary: emptySummary('They talked about the weather and trains.') }));

it.each([
  { by: 'the digest', how: {} },
  { by: 'a model that forgets', how: { summariser: FORGETFUL } },
])(
  'ten facts of the first ten turns live through twenty compactions of small talk by $by',
  async ({ how }) => {
    const session = await createSession(createMemoryStore(), { title: 'planted' });
    const settings = { ...PRESETS.balanced, keep: { messages: 2 } };
    await session.append(FACTS.flatMap(([fact]) => [user(fact), assistant('Understood.')]));
    const alive: number[] = [];
    for (let round = 0; round < 20; round++) {
      const turns = Array.from({ length: 15 }, (_, n) => SMALL_TALK[(round + n) % SMALL_TALK.length]!);
      await session.append(
        turns.flatMap(([asked, answer], n) => [user(`${asked} (${round}.${n})`), assistant(answer)]),
      );
      await compactSession(session, { settings, ...how });
      const records = (await readFrontier(session.store, await session.refresh())).flatMap(({ body }) =>
        body.kind === 'compaction' ? [renderSummary(body.summary)] : [],
      );
      alive.push(FACTS.filter(([, mark]) => records.some((text) => text.includes(mark))).length);
    }
    expect(alive).toEqual(Array.from({ length: 20 }, () => FACTS.length));
  },
);
