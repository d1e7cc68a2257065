import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyTalk, anyTightTalk, WIRES } from './any-talk.ts';
import { checkFaces } from './three-faces.ts';

const SESSIONS = Number(process.env.THROUGHLINE_TEST_SESSIONS ?? 100);

it.each(WIRES)(`three faces send the same bytes in ${SESSIONS} sessions, over %s`, async (wire) => {
  const outcomes: string[] = [];
  await fc.assert(
    fc.asyncProperty(anyTalk, async (talk) => {
      outcomes.push((await checkFaces(talk, wire)).outcome);
    }),
    { numRuns: SESSIONS, endOnFailure: true },
  );
  console.log(
    wire,
    Object.groupBy(outcomes, (outcome) => outcome),
  );
  expect(outcomes.filter((outcome) => outcome === 'sent').length).toBeGreaterThan(SESSIONS / 2);
});

it(`three faces send the same bytes in ${SESSIONS} sessions that compact in tight windows`, async () => {
  let compacted = 0;
  await fc.assert(
    fc.asyncProperty(anyTightTalk, async (talk) => {
      compacted += (await checkFaces(talk, 'openai-chat')).compacts ? 1 : 0;
    }),
    { numRuns: SESSIONS, endOnFailure: true },
  );
  expect(compacted).toBeGreaterThan(SESSIONS / 2);
});
