import { contextOf } from '../../compaction/index.ts';
import { offerTools, readCorrection } from '../../run/index.ts';
import { renderMeter } from '../render/render-meter.ts';
import { type Chat, sessionOf } from './chat.ts';
import type { Knowledge } from './know.ts';

/** What the next request would be made of, with everything that this chat puts in front of it. */
export async function showContext(chat: Chat, knowledge: Knowledge): Promise<void> {
  const { model, agent, options, place, screen } = chat;
  const info = await sessionOf(chat).refresh();
  const window = options.window ?? model.limits.window;
  const instructions = agent?.instructions.trim() ? [{ part: 'agent', text: agent.instructions }] : [];
  const { listed: tools } = await offerTools(agent?.tools ?? {});
  const built = await contextOf(place.store, info, {
    model: model.id,
    tools,
    head: [...instructions, ...(await knowledge.head())],
    budget: {
      window,
      outputLimit: Math.min(model.limits.output, window),
      correct: await readCorrection(place.store, info, model.id),
    },
  });
  await screen.show(renderMeter(built, { messages: false }));
}
