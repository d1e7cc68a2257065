import type { AnsweringModel } from '../../models/index.ts';
import type { Chat } from './chat.ts';
import type { Screen } from './screen.ts';

/** The model of the chat from now on; shown if another one was shown before. */
export function takeModel(chat: Pick<Chat, 'screen' | 'model' | 'shownModel'>, model: AnsweringModel): void {
  if (model.id !== chat.shownModel) sayModel(chat.screen, model);
  chat.shownModel = model.id;
  chat.model = model;
}

/** Says which model answers and why, and first why another one does not. */
function sayModel(screen: Screen, { id, opened, because, problem }: AnsweringModel): void {
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
