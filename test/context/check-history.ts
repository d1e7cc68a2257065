import { type BuiltContext, buildContext } from '../../src/context/index.ts';
import { isThroughlineError } from '../../src/errors.ts';
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
import type { History } from './histories.ts';
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
    return wrong.map((what) => `${model}: ${what}`);
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
  const isPinned = (id: string, seq: number) =>
    state.marks.pinned.some((target) =>
      'entry' in target ? target.entry === id : target.from <= seq && seq <= target.to,
    );
  const question = state.frontier.findLast(({ id, seq, body }) => {
    const hidden = [...state.marks.excluded, ...state.marks.removed].some((target) =>
      'entry' in target ? target.entry === id : target.from <= seq && seq <= target.to,
    );
    return body.kind === 'message' && body.role === 'user' && !hidden;
  });
  const pinned = state.frontier.filter(({ id, seq }) => isPinned(id, seq) && id !== question?.id);
  const bare = {
    ...history,
    state: { ...state, frontier: question ? [question] : [], pinned: [...state.pinned, ...pinned] },
  };
  return build(bare) ? ['gave up although the question fits'] : [];
}
