import type { EntryId } from '../record/index.ts';
import type { TurnInput } from './accept-input.ts';
import type { Recovery } from './recover-turn.ts';

/**
 * The place of a message among those that an earlier process accepted and did not begin: the turn that was cut, asked for
 * again by its id, comes before them all; one of them keeps its place; any other comes behind them.
 */
export function orderWaiting(
  { waiting, unfinished }: Pick<Recovery, 'waiting' | 'unfinished'>,
  input: TurnInput,
): { readonly isCut: boolean; readonly before: TurnInput[]; readonly after: TurnInput[] } {
  const id = idOf(input);
  const own = id === undefined ? -1 : waiting.findIndex((one) => idOf(one) === id);
  const others = waiting.toSpliced(own, own === -1 ? 0 : 1);
  const isCut = id !== undefined && id === unfinished?.id;
  const place = isCut ? 0 : own === -1 ? others.length : own;
  return { isCut, before: others.slice(0, place), after: others.slice(place) };
}

function idOf(input: TurnInput): EntryId | undefined {
  return typeof input === 'object' && input !== null && 'parts' in input ? input.id : undefined;
}
