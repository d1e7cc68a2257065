import fc from 'fast-check';
import { type AgentTool, continueTurn, recoverTurn, runTurn, type TurnEvent } from '../../src/agent/index.ts';
import { isThroughlineError } from '../../src/errors.ts';
import type { Entry, EntryId } from '../../src/record/index.ts';
import { openSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { crashAfter, fixedClock } from '../../src/testing/index.ts';
import { apiError, type Scripted, type ScriptedModel, scriptedModel } from './scripted-model.ts';

// Random lives of a session: what models say and how they break, what people stop, where processes die.

const TOOLS = ['look', 'paint', 'fails', 'guarded', 'missing', 'slow'] as const;

type Saying =
  | {
      readonly say: 'answer';
      readonly text: string;
      readonly thinks: boolean;
      readonly calls: readonly Calling[];
    }
  | { readonly say: 'accident'; readonly accident: 'error' | 'hang'; readonly text: string }
  | { readonly say: 'fault'; readonly fault: keyof typeof FAULTS };

interface Calling {
  readonly tool: (typeof TOOLS)[number];
  /** Few, so that models use one twice. */
  readonly id: 'a' | 'b';
  readonly malformed: boolean;
}

interface Episode {
  readonly begin: 'new' | 'again' | 'two at once';
  readonly sayings: readonly Saying[];
  /** Stopped at this event. */
  readonly stopAt?: number | undefined;
  /** The process dies after so many writes. */
  readonly dieAfter?: number | undefined;
}

const FAULTS = {
  unauthorized: apiError(401, 'invalid key'),
  busy: apiError(429, 'slow down', { 'retry-after': '0' }),
  broken: apiError(500, 'oops'),
  overflow: apiError(400, 'prompt is too long: 210000 tokens > 200000 maximum'),
  refused: apiError(400, 'messages.0.content.0: the image could not be processed'),
};

const texts = fc.constantFrom(
  'Yes.',
  'Well, let me see.',
  'long words '.repeat(600),
  '\ud83d\ude00 ok \ud800',
);

const calling: fc.Arbitrary<Calling> = fc.record({
  tool: fc.constantFrom(...TOOLS),
  id: fc.constantFrom('a', 'b'),
  malformed: fc.nat({ max: 9 }).map((n) => n === 0),
});

const saying: fc.Arbitrary<Saying> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      say: fc.constant('answer' as const),
      text: fc.oneof(fc.constant(''), texts),
      thinks: fc.boolean(),
      calls: fc.array(calling, { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      say: fc.constant('accident' as const),
      accident: fc.constantFrom('error', 'hang'),
      text: texts,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      say: fc.constant('fault' as const),
      fault: fc.constantFrom(...(Object.keys(FAULTS) as (keyof typeof FAULTS)[])),
    }),
  },
);

export const anyLife: fc.Arbitrary<readonly Episode[]> = fc.array(
  fc.record({
    begin: fc.constantFrom('new', 'new', 'again', 'two at once'),
    sayings: fc.array(saying, { maxLength: 5 }),
    stopAt: fc.option(fc.nat({ max: 14 }), { nil: undefined }),
    dieAfter: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 4 },
);

export interface Life {
  readonly store: Store;
  readonly log: readonly Entry[];
  /** Inputs that were acknowledged: somebody was told that they are stored. */
  readonly acknowledged: ReadonlySet<EntryId>;
  /** Every run of a tool that has an effect, by the number of its call. */
  readonly painted: readonly number[];
  readonly requests: ScriptedModel['requests'];
  /** What nobody foresaw. */
  readonly surprises: readonly unknown[];
}

/** Lives through it, and asks one last question of a model that is well. */
export async function live(episodes: readonly Episode[]): Promise<Life> {
  const clock = fixedClock();
  const store = createMemoryStore({ now: clock.now });
  await store.create({ id: 's' });
  const acknowledged = new Set<EntryId>();
  const painted: number[] = [];
  const surprises: unknown[] = [];
  let saidNext: Saying[] = [];
  let calls = 0;
  const model = scriptedModel(() => scripted(saidNext.shift(), () => ++calls));
  const tools = toolsThat((n) => painted.push(n));

  await runEpisodes();
  saidNext = [];
  // What waited for its turn when a process died is not lost, but somebody has to give it its turn.
  const session = await openSession(store, 's');
  for (const input of (await recoverTurn(session)).waiting) await runTurn(session, input, { model, tools });
  await runTurn(session, 'Are you well?', { model, tools });
  await session.close();
  const log = await readWhole(store);
  return { store, log, acknowledged, painted, requests: model.requests, surprises };

  async function runEpisodes(): Promise<void> {
    for (const { begin, sayings, stopAt, dieAfter } of episodes) {
      saidNext = [...sayings];
      const session = await openSession(dieAfter === undefined ? store : crashAfter(store, dieAfter), 's');
      const stop = new AbortController();
      let seen = 0;
      const onEvent = (event: TurnEvent) => {
        if (event.type === 'input-stored') acknowledged.add(event.id);
        if (seen++ === stopAt) stop.abort();
      };
      const options = {
        model,
        tools,
        onEvent,
        signal: stop.signal,
        approve: () => true,
        maxSteps: 6,
        timeoutMs: 40,
        retry: { times: 1, firstMs: 1 },
      };
      const turns =
        begin === 'again' && session.info.totals.queries > 0
          ? [continueTurn(session, options)]
          : Array.from({ length: begin === 'two at once' ? 2 : 1 }, () =>
              runTurn(session, 'Go on.', options),
            );
      for (const outcome of await Promise.allSettled(turns)) {
        if (outcome.status === 'rejected' && !isForeseen(outcome.reason)) surprises.push(outcome.reason);
      }
      if (dieAfter === undefined) await session.close();
      else clock.advance(60_000);
    }
  }
}

function scripted(saying: Saying | undefined, number: () => number): Scripted {
  if (!saying) return { text: 'The end.' };
  if (saying.say === 'fault') return { error: FAULTS[saying.fault] };
  if (saying.say === 'accident') return { text: saying.text, accident: saying.accident };
  const { text, thinks, calls } = saying;
  return {
    text,
    ...(thinks && { reasoning: 'Hm.' }),
    calls: calls.map(({ tool, id, malformed }) => ({
      id,
      name: tool,
      input: malformed ? '{"n": ' : { n: number() },
    })),
  };
}

function toolsThat(paint: (n: number) => void): Record<string, AgentTool> {
  const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const numbered = (input: unknown) => (input as { n: number }).n;
  const effect = (input: unknown) => {
    paint(numbered(input));
    return 'painted';
  };
  return {
    look: { inputSchema, repeatable: true, execute: () => ({ seen: true }) },
    paint: { inputSchema, execute: effect },
    guarded: { inputSchema, needsApproval: true, execute: effect },
    fails: { inputSchema, execute: () => Promise.reject(new Error('broken brush')) },
    slow: {
      inputSchema,
      async execute(input) {
        await new Promise(setImmediate);
        return effect(input);
      },
    },
  };
}

const isForeseen = (error: unknown) =>
  isThroughlineError(error) ? /^(?:model-|context-)/.test(error.code) : (error as Error).message === 'crash';

async function readWhole(store: Store): Promise<Entry[]> {
  const session: Session = await openSession(store, 's', { mode: 'read' });
  return Promise.all((await session.read()).map((entry) => session.whole(entry)));
}
