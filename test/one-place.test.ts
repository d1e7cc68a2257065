import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

// A decision that a second file makes too is a difference between two faces that has not been found yet.

it.each([
  {
    decision: 'the model that answers',
    call: /\bopenModel\(/,
    // The others open a model that was named to write summaries.
    places: [
      'cli/chat/open-chat.ts',
      'cli/commands/work-place.ts',
      'compaction/model-summariser.ts',
      'models/choose-model.ts',
      'operations/transcript/open-summariser.ts',
    ],
  },
  {
    decision: 'the messages of a request',
    call: /\bbuildContext\(/,
    // The agent SDK is told what it has not heard, as one prompt.
    places: ['operations/agent-sdk/write-prompt.ts', 'run/request/build-request.ts'],
  },
  {
    decision: 'the frame and the place of a request',
    call: /\b(?:assembleRequest|frameOf)\(/,
    // A thread builds what it is handed.
    places: ['operations/contexts/context-worker.ts', 'run/request/build-request.ts'],
  },
  {
    decision: 'what a model is sent, or would be, or was',
    call: /\b(?:contextAt|rebuildAt)\(/,
    places: ['agent/context-for.ts'],
  },
  {
    decision: 'what a turn is run with',
    call: /\b(?:knowledge\.head|prepareTurn)\(/,
    places: ['agent/context-for.ts', 'agent/prepare-turn.ts', 'agent/turns.ts'],
  },
  {
    decision: 'with which options a turn runs',
    call: /\b(?:runTurn|continueTurn|makeReady|nextRequest)\(/,
    // In run/ they stand on each other.
    places: [
      'agent/context-for.ts',
      'agent/turns.ts',
      'run/continue-turn.ts',
      'run/next-request.ts',
      'run/stream-turn.ts',
      'run/turns/retry-turn.ts',
    ],
  },
])('decides $decision in one place', ({ call, places }) => {
  const found = globSync('**/*.ts', { cwd: 'src' }).filter((file) => {
    const lines = readFileSync(path.join('src', file), 'utf8').split('\n');
    return lines.some((line) => call.test(line) && !/^\s*(?:\/?\*|\/\/)|\bfunction\b/.test(line));
  });
  expect(found.sort()).toEqual(places);
});
