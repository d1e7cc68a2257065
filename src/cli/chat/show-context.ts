import { nextRequest } from '../../run/index.ts';
import { renderMeter } from '../render/render-meter.ts';
import { type Chat, sessionOf } from './chat.ts';
import type { Knowledge } from './know.ts';
import { turnOptions } from './turn-options.ts';

/** What the next question finds, with everything that this chat puts in front of it. */
export async function showContext(chat: Chat, knowledge: Knowledge): Promise<void> {
  const session = sessionOf(chat);
  const options = await turnOptions(chat, session, knowledge);
  const { context } = await nextRequest(session, options, { model: chat.model });
  await chat.screen.show(renderMeter(context, { messages: false }));
}
