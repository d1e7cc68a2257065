import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAnnounced, MODELS, newTally, openStage, type Stage, WINDOWS, WIRES } from './announced.ts';
import { anySession } from './any-session.ts';

const SESSIONS = 200;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const cases = WIRES.flatMap((wire) => MODELS.map((model) => ({ wire, model, window: WINDOWS[model] })));

it.each(cases)(
  `announced requests are the sent ones in ${SESSIONS} sessions: $wire, $window tokens`,
  async ({ wire, model }) => {
    const tally = newTally();
    await fc.assert(
      fc.asyncProperty(anySession, (session) => checkAnnounced(stage, session, { wire, model, tally })),
      { numRuns: SESSIONS },
    );
    console.log(wire, model, tally);
    expect(tally.requests + tally.refused).toBeGreaterThanOrEqual(SESSIONS);
  },
);

it.each(WIRES)(`the built \`context\` prints the request in ${SESSIONS / 2} sessions: %s`, async (wire) => {
  const tally = newTally();
  await fc.assert(
    fc.asyncProperty(anySession, fc.constantFrom(...MODELS), (session, model) =>
      checkAnnounced(stage, session, { wire, model, tally, command: 'built' }),
    ),
    { numRuns: SESSIONS / 2 },
  );
  console.log('built', wire, tally);
  expect(tally.requests + tally.refused).toBeGreaterThanOrEqual(SESSIONS / 2);
});
