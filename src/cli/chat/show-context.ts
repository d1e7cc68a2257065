import { contextFor, type Knowledge } from '../../agent/index.ts';
import { renderMeter } from '../render/render-meter.ts';
import { type Chat, sessionOf } from './chat.ts';
import { turnChoices } from './turn-choices.ts';

/** What the next question finds, with everything that this chat puts in front of it. */
export async function showContext(chat: Chat, knowledge: Knowledge): Promise<void> {
  const { store, id } = sessionOf(chat);
  const { context } = await contextFor(store, id, turnChoices(chat, knowledge));
  await chat.screen.show(renderMeter(context, { messages: false }));
}
