import type { SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';

const PAGE = 100;

/** The model that a session is set to; else the one that answered last, as in sessions that say it with each answer. */
export async function answeringModel(store: Store, info: SessionInfo): Promise<string> {
  const { provider, model } = info.state.settings;
  if (typeof model !== 'string') return lastToAnswer(store, info);
  return typeof provider === 'string' && !model.includes(':') ? `${provider}:${model}` : model;
}

async function lastToAnswer(store: Store, { id, head }: SessionInfo): Promise<string> {
  for (let upTo = head; upTo > 0; upTo -= PAGE) {
    const page = await store.read(id, { after: Math.max(0, upTo - PAGE), upTo });
    for (const { body } of page.toReversed())
      if (body.kind === 'message' && body.role === 'assistant' && body.model) return body.model;
  }
  return '';
}
