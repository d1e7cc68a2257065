import { createModelSummariser, type Summariser } from '../compaction/index.ts';
import type { OpenedModel } from '../models/index.ts';
import type { SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { calibrate, learntWindow, readNewest } from './request/build-request.ts';
import { answerNotes, holderOf } from './request/note-request.ts';
import { askInChat } from './summary/ask-in-chat.ts';

/**
 * A model as the summariser of a session, outside its turns: within the window that its newest answer there was asked with,
 * in tokens as its answers count them. A window may be declared for one process alone, and the log is all that others know.
 */
export async function summariserFor(
  store: Store,
  info: SessionInfo,
  {
    opened,
    now = Date.now,
    ...options
  }: { readonly opened: OpenedModel; readonly timeoutMs?: number; readonly now?: () => number },
): Promise<Summariser> {
  const { id, limits } = opened;
  const newest = await readNewest(store, info);
  const answer = newest.find(
    (entry) => entry.body.kind === 'message' && entry.body.model === id && answerNotes(entry).frame,
  );
  const noted = answer && answerNotes(answer).frame;
  const { request } = noted ? await holderOf(store, info, { answer, noted }) : {};
  const learnt = learntWindow(info, id, limits.window)?.window;
  const known = [limits.window, request?.limits.window, learnt].filter((window) => window !== undefined);
  const window = Math.min(...known);
  const scale = calibrate(newest, id, info.state.settings.windows)(1_000_000) / 1_000_000;
  const model = { ...opened, limits: { ...limits, window } };
  const chat = { store, info: async () => (await store.session(info.id)) ?? info, model };
  const inChat = askInChat(() => chat, { now });
  return createModelSummariser(model, { ...options, scale, inChat });
}
