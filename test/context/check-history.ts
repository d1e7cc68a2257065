import {
  type BuiltContext,
  buildContext,
  type ContextState,
  firstDifference,
} from '../../src/context/index.ts';
import { isThroughlineError } from '../../src/errors.ts';
import type { Entry, Target } from '../../src/record/index.ts';
import { user } from '../../src/testing/index.ts';
import {
  endsWithTheQuestion,
  fits,
  hidesExcluded,
  holdsHead,
  holdsPins,
  keepsOrder,
  keepsVoices,
  staysInBounds,
} from './context-rules.ts';
import { entryOf, type History } from './histories.ts';
import { common, MODELS } from './provider-rules.ts';

const RULES = [
  fits,
  staysInBounds,
  endsWithTheQuestion,
  holdsPins,
  hidesExcluded,
  holdsHead,
  keepsOrder,
  keepsVoices,
];

/** Everything that is wrong with the contexts of a history, one for each of these models. Empty is right. */
export function checkHistory(history: History, models: readonly string[]): string[] {
  return models.flatMap((model) => {
    const rules = MODELS[model]!;
    const own = { ...history, state: { ...history.state, model } };
    const built = build(own);
    if (!built) return tooLargeForGood(own);
    if (own.state.frontier.length === 0 && own.state.pinned.length === 0) return [];
    const wrong = [
      ...RULES.flatMap((rule) => rule(own, built)),
      ...common(built.messages),
      ...rules(built.messages),
    ];
    return [...wrong, ...keepsPrefix(own)].map((what) => `${model}: ${what}`);
  });
}

function build({ state, budget, options }: History): BuiltContext | undefined {
  try {
    return buildContext(state, budget, options);
  } catch (error) {
    if (isThroughlineError(error, 'head-too-large')) return undefined;
    throw error;
  }
}

/** It may only give up when the question alone, with head, tools and pins, does not fit either. */
function tooLargeForGood(history: History): string[] {
  const { state } = history;
  const question = state.frontier[newestQuestion(state)];
  const pinned = state.frontier.filter((entry) => isMarked(state.marks.pinned, entry) && entry !== question);
  const bare = {
    ...history,
    state: { ...state, frontier: question ? [question] : [], pinned: [...state.pinned, ...pinned] },
  };
  return build(bare) ? ['gave up although the question fits'] : [];
}

/** Where in the frontier the newest question stands that the model may see; -1 if there is none. */
function newestQuestion({ frontier, marks }: Pick<ContextState, 'frontier' | 'marks'>): number {
  const hidden = [...marks.excluded, ...marks.removed];
  return frontier.findLastIndex(
    (entry) => entry.body.kind === 'message' && entry.body.role === 'user' && !isMarked(hidden, entry),
  );
}

function isMarked(targets: readonly Target[], { id, seq }: Entry): boolean {
  return targets.some((target) =>
    'entry' in target ? target.entry === id : target.from <= seq && seq <= target.to,
  );
}

/** One more question changes nothing before it, as long as nothing has to be shortened. */
function keepsPrefix({ state, options }: History): string[] {
  const { recall: _, ...asked } = state;
  const last = newestQuestion(asked);
  // What is about the newest question stands before it, and goes to its own place when that is not the newest any more.
  const about = asked.frontier.slice(last + 1);
  if (about.some(({ body }) => body.kind !== 'message' || body.role === 'system')) return [];
  const more = entryOf(user('And then?'), asked.frontier.length + 10_000);
  const budget = { window: 100_000_000 };
  const before = buildContext(asked, budget, options);
  const after = buildContext({ ...asked, frontier: [...asked.frontier, more] }, budget, options);
  // Only the line that nothing is shown makes room for a question.
  if (JSON.stringify(before.messages).includes('[Nothing of this')) return [];
  const same = JSON.stringify(after.messages.slice(0, -1)) === JSON.stringify(before.messages);
  return same && firstDifference(before.prefix, after.prefix) === undefined
    ? []
    : ['one more question changed the prefix'];
}
