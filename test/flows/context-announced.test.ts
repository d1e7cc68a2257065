import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAnnounced, MODELS, newTally, openStage, type Stage, WIRES } from '../faces/rpc/announced.ts';
import { anySession } from '../faces/rpc/any-session.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

// Each question is a process of its own, so there are few; the long test has two hundred sessions for each window.
it.each(WIRES)(
  'the built `context` prints to the byte the next request, over %s',
  async (wire) => {
    const tally = newTally();
    const few = anySession.map((session) => ({ ...session, questions: session.questions.slice(0, 2) }));
    await fc.assert(
      fc.asyncProperty(few, fc.constantFrom(...MODELS), (session, model) =>
        checkAnnounced(stage, session, { wire, model, tally, command: 'built' }),
      ),
      { numRuns: 6 },
    );
    expect(tally.requests).toBeGreaterThan(0);
  },
  300_000,
);
