import { type ContextOfOptions, contextOf } from '../compaction/index.ts';
import type { BuiltContext } from '../context/index.ts';
import type { Recall } from '../recall/index.ts';
import type { SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { type RecollectOptions, recollect } from './recollect.ts';

export interface ContextWithRecallOptions
  extends Omit<ContextOfOptions, 'recall'>,
    Pick<RecollectOptions, 'redact' | 'signal' | 'onProgress'> {}

/**
 * What the model is sent for a session, with what was said earlier about the newest question. Everything before the
 * recalled part is, to the byte, what it is without it.
 */
export async function contextWithRecall(
  store: Store,
  recall: Recall,
  info: SessionInfo,
  options: ContextWithRecallOptions,
): Promise<BuiltContext> {
  const { budget, redact, signal, onProgress, ...asked } = options;
  const recalled = await recollect(store, recall, info, {
    ...(asked.question !== undefined && { question: asked.question }),
    ...(asked.at !== undefined && { at: asked.at }),
    ...(budget.recallTokens !== undefined && { maxTokens: budget.recallTokens }),
    ...(redact && { redact }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  return contextOf(store, info, { ...asked, budget, recall: recalled });
}
