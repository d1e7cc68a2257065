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
      'compaction/model-summariser.ts',
      'faces/cli/commands/work-place.ts',
      'faces/cli/standing-compaction.ts',
      'models/choose-model.ts',
      'operations/transcript/open-summariser.ts',
    ],
  },
  {
    decision: 'which of the models in line answers in a session',
    call: /\b(?:chooseModel|chooseAnswering)\(/,
    // A turn asks the model that it is handed; the operations choose without a session: for a new one, a summary, a list.
    places: [
      'agent/prepare-turn.ts',
      'agent/turn.ts',
      'models/choose-model.ts',
      'operations/ai/sessions.ts',
      'operations/compaction/compact-context.ts',
      'operations/model/list-models.ts',
    ],
  },
  {
    decision: 'which agent module is run',
    call: /\bloadAgent\(/,
    // The others load a module that a person names, and say how.
    places: [
      'agent/definition/agent.ts',
      'agent/definition/use-agent.ts',
      'agent/prepare-turn.ts',
      'faces/cli/chat/choose-agent.ts',
    ],
  },
  {
    decision: 'the names that a session keeps of its model',
    call: /\bmodelSettings\(/,
    // A session that is made, and one that is open or labelled.
    places: [
      'agent/open-agent.ts',
      'operations/ai/resume-from-summary.ts',
      'operations/session/label-fields.ts',
    ],
  },
  {
    decision: 'the messages of a request',
    call: /\bbuildContext\(/,
    // The agent SDK is told what it has not heard, as one prompt.
    places: ['agent/request/build-request.ts', 'operations/agent-sdk/sdk-turns.ts'],
  },
  {
    decision: 'the frame and the place of a request',
    call: /\b(?:assembleRequest|frameOf)\(/,
    // A thread builds what it is handed.
    places: ['agent/request/build-request.ts', 'operations/contexts/context-worker.ts'],
  },
  {
    decision: 'what a model is sent, or would be, or was',
    call: /\bcontextAt\(/,
    places: ['agent/context-for.ts'],
  },
  {
    decision: 'what a turn is run with',
    call: /\b(?:knowledge\.head|knowledge\.recall|prepareTurn)\(/,
    places: ['agent/context-for.ts', 'agent/prepare-turn.ts', 'agent/turns.ts'],
  },
  {
    decision: 'the head of a request',
    call: /\b(?:requestHead|surround|prepareHead)\(/,
    // A turn is prepared whole, a request of work without its model.
    places: [
      'agent/prepare-head.ts',
      'agent/prepare-turn.ts',
      'agent/request/build-request.ts',
      'work/request/head-reader.ts',
    ],
  },
  {
    decision: "where a session's system prompt is sent",
    call: /\bsettings\.systemPrompt\b|\bsystemPrompt\b.*\} = .*settings\b/,
    // The others show it, and notice that it has changed.
    places: [
      'agent/request/build-request.ts',
      'operations/records/session-record.ts',
      'work/request/head-reader.ts',
    ],
  },
  {
    decision: "which of the project's facts are sent",
    call: /\b(?:memoryHead|fitFacts)\(/,
    // The others say how much room the facts take.
    places: [
      'agent/knowledge.ts',
      'operations/memory/fact-record.ts',
      'operations/memory/facts.ts',
      'operations/memory/show-memory.ts',
      'project/facts/write-facts.ts',
      'project/memory-head.ts',
    ],
  },
  {
    decision: "which of the project's instruction files count",
    call: /\b(?:readInstructions|createInstructionReader|fitInstructions)\(/,
    // The context of a work session is a document with the same files.
    places: ['agent/knowledge.ts', 'project/memory-head.ts', 'work/context/read-project.ts'],
  },
  {
    decision: 'the folder of a feature',
    call: /\bfolderFor\(/,
    // The head of a turn, and the context of a work session, which has more than the instruction files.
    places: ['agent/knowledge.ts', 'work/context/gather-context.ts'],
  },
  {
    decision: 'what a session without a title is called',
    call: /untitled\)|\bNothing said yet\b/,
    places: ['text/say-title.ts'],
  },
  {
    decision: 'which options ask about another request than was sent',
    call: /\b(?:question, window|window, question), recall\]|\bWHAT_IF\b/,
    places: ['agent/context-for.ts'],
  },
  {
    decision: 'how the digits of a number are grouped',
    call: /\.toLocaleString\('en|\bIntl\.NumberFormat\b/,
    places: ['text/say-number.ts'],
  },
  {
    decision: 'the number before a question of a loop',
    call: /Iteration \\d\+: |`Iteration \$\{\w+\}: /,
    places: ['text/loop-question.ts'],
  },
  {
    decision: 'with which options a turn runs',
    call: /\b(?:runTurn|continueTurn|makeReady|nextRequest)\(/,
    // In run/ they stand on each other.
    places: [
      'agent/context-for.ts',
      'agent/continue-turn.ts',
      'agent/next-request.ts',
      'agent/turns.ts',
      'agent/turns/retry-turn.ts',
    ],
  },
])('decides $decision in one place', ({ call, places }) => {
  const found = globSync('src/**/*.ts').filter((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.some((line) => call.test(line) && !/^\s*(?:\/?\*|\/\/)|\bfunction\b/.test(line));
  });
  expect(found.map((file) => path.relative('src', file)).sort()).toEqual(places);
});

it('says tokens, shares and numbers in one place, for the terminal and the web app', () => {
  const says = /\.toLocaleString\('en|\}K[` ]|, 'K'\)|\.toFixed\(0\)/;
  const found = globSync('{src,web}/**/*.{ts,tsx}').filter((file) => says.test(readFileSync(file, 'utf8')));
  expect(found.sort()).toEqual(['src/text/say-amount.ts', 'src/text/say-number.ts']);
});

/** Rooms whose verbs the terminal reaches through operations alone. */
const BEHIND_OPERATIONS = ['session', 'compaction', 'branches', 'project', 'agent'];

/** What the terminal takes from those rooms all the same, and why. */
const PAST_OPERATIONS: Record<string, readonly string[]> = {
  'the words of a person, before an operation: which session, entry, project, fact they mean': [
    'entryAt',
    'findCompaction',
    'findPlace',
    'findSession',
    'lookUpFact',
    'lookUpProposals',
    'lookUpSession',
    'placeFolder',
  ],
  'the session that a chat holds, from its first message to its end': [
    'openSession',
    'refuseTrashed',
    'resumeCompaction',
    'stopBackground',
  ],
  'parts that an agent of the chat, or a board, is opened with': [
    'createModelSummariser',
    'giveConsent',
    'loadAgent',
    'readConsent',
  ],
  'numbers and words to show': [
    'NO_SPENDING',
    'OFFER_REASONS',
    'countSession',
    'countsOf',
    'foldSpending',
    'listDraft',
    'readInput',
    'readReview',
    'renderReview',
    'sayCost',
    'sayCounts',
    'titleInChain',
  ],
  'the agent, the model and the knowledge that a chat is opened with': [
    'chooseFor',
    'openAgent',
    'openKnowledge',
    'rememberedAgent',
  ],
};

it('changes and reads sessions from the terminal through operations', () => {
  const rooms = BEHIND_OPERATIONS.join('|');
  const named = new RegExp(
    String.raw`(?:import|const) \{([^}]*)\} (?:from|= await import\() ?'[./]+/(?:${rooms})/index\.ts'`,
    'g',
  );
  const taken = globSync('src/faces/cli/**/*.ts')
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(named)])
    .flatMap(([, names]) => names!.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !name.startsWith('type '));
  expect([...new Set(taken)].sort()).toEqual(Object.values(PAST_OPERATIONS).flat().sort());
});
