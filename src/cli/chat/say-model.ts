import type { AnsweringModel } from '../../models/index.ts';
import type { Screen } from './screen.ts';

/** Says which model answers and why, and first why another one does not. */
export function sayModel(screen: Screen, { id, opened, because, problem }: AnsweringModel): void {
  if (problem !== undefined) screen.warn(problem);
  const why = because === 'environment' ? `picked by ${opened.pickedBy}` : REASONS[because];
  screen.say(`Model: ${id} (${why})`);
}

const REASONS = {
  asked: 'named by --model',
  agent: "the agent's",
  session: 'remembered with the session',
  offline: 'no key was found',
} as const;
