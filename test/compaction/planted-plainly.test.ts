import { expect, it } from 'vitest';
import { createAutoCompaction } from '../../src/compaction/index.ts';
import { emptySummary } from '../../src/record/index.ts';
import { createSession, readConversation } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { scripted } from './scripted-summariser.ts';

const FACTS = [
  ['The service listens on port 7443.', 'Good to know, 7443 it is.', '7443'],
  ['Amounts are kept in integer cents.', 'That avoids rounding trouble.', 'integer cents'],
  ['Our customer is Nordhaus, they pay in Danish kroner.', 'Thanks, I will remember that.', 'Nordhaus'],
  ['The queue is going to be Postgres.', 'Okay, Postgres for the queue then.', 'Postgres'],
  ['Ingrid reviews all translations.', 'Got it.', 'Ingrid'],
  ['We ship on 14 June.', 'Understood.', '14 June'],
  ['Nobody deploys on Fridays here.', 'Makes sense.', 'Fridays'],
  ['I still have to ask Miriam about the certificates.', 'Alright.', 'Miriam'],
  ['The folder legacy-billing stays as it is.', 'I will leave it alone.', 'legacy-billing'],
  ['Sessions expire after 45 minutes.', 'Noted.', '45 minutes'],
] as const;

const SMALL_TALK = [
  ['How is the weather over there?', 'Grey, as always.'],
  ['I had a good coffee just now.', 'That sounds nice.'],
  ['The train was late again today.', 'How annoying.'],
  ['Do you like jazz?', 'I know a lot about it.'],
  ['My plants are growing well.', 'Good to hear.'],
] as const;
const STORY =
  ' It reminds me of a long story that somebody told on the way home, with many turns and no real end to it.'.repeat(
    3,
  );

const FORGETFUL = scripted(() => ({ summary: emptySummary('They talked about the weather and trains.') }));

it.each([
  { by: 'the digest', how: {} },
  { by: 'a model that forgets', how: { summariser: FORGETFUL } },
])('facts without any cue live through twenty compactions of a small window by $by', async ({ how }) => {
  const session = await createSession(createMemoryStore(), { title: 'planted' });
  const read = async () => (await readConversation(session.store, await session.refresh())).frontier;
  const measure = async () => {
    const frontier = await read();
    const tokens = frontier.reduce((sum, entry) => sum + entry.tokens, 0);
    return { tokens, room: 6_400, messages: frontier.length, lines: session.info.head };
  };
  const auto = createAutoCompaction(session, { settings: 'balanced', measure, ...how });
  const alive: number[] = [];
  for (let turn = 0; turn < 600 && alive.length < 20; turn++) {
    const [small, answer] = SMALL_TALK[turn % SMALL_TALK.length]!;
    const [said, heard] = FACTS[turn] ?? [`${small} (${turn})${STORY}`, answer + STORY];
    await session.append([user(said), assistant(heard)]);
    if ((await auto.consider()).did !== 'compact') continue;
    const text = JSON.stringify((await read()).map(({ body }) => body));
    alive.push(FACTS.filter(([, , mark]) => text.includes(mark)).length);
  }
  expect(alive).toEqual(Array.from({ length: 20 }, () => FACTS.length));
});
