import type { Recall, RecallOptions } from '../recall/index.ts';
import type { Store } from '../store/index.ts';
import { dimNote } from './terminal/paint.ts';
import { note } from './terminal/print.ts';
import { sayCount } from './terminal/say.ts';
import { showProgress } from './terminal/show-progress.ts';
import { visibleLine } from './terminal/visible-text.ts';

export interface IndexChoice {
  /** `provider:model`; without it the embedded word table. */
  readonly embedding?: string | undefined;
  /** Says nothing beside the results. */
  readonly quiet: boolean;
}

export interface OpenedIndex extends AsyncDisposable {
  readonly recall: Recall;
}

/** Opens the store's search index and reads what was written since the last time, with a line that shows how far it is. */
export async function openIndex(store: Store, { embedding, quiet }: IndexChoice): Promise<OpenedIndex> {
  const { openRecall } = await import('../recall/index.ts');
  let failure: unknown;
  const recall = await openRecall(store, {
    ...(embedding && (await embedderOf(embedding))),
    onEmbedderFailure(error) {
      failure = error;
    },
  });
  const progress = showProgress('Reading what was written since');
  try {
    const { unreadable, withoutMeaning } = await recall.catchUp({ onProgress: progress.onProgress });
    progress.end();
    if (!quiet && unreadable > 0)
      note(
        dimNote(
          `${sayCount(unreadable, 'entry', 'entries')} could not be read; "throughline doctor" says which.`,
        ),
      );
    if (!quiet && withoutMeaning > 0)
      note(
        dimNote(
          `${sayCount(withoutMeaning, 'message is', 'messages are')} found by words only: ${await reason(failure)}`,
        ),
      );
  } catch (error) {
    progress.end();
    await recall[Symbol.asyncDispose]();
    throw error;
  }
  return { recall, [Symbol.asyncDispose]: () => recall[Symbol.asyncDispose]() };
}

async function embedderOf(reference: string): Promise<Pick<RecallOptions, 'embedder'>> {
  const { openEmbedding } = await import('../models/index.ts');
  const { fromEmbeddingModel } = await import('../recall/index.ts');
  const { embeddingModel, id } = await openEmbedding(reference);
  return { embedder: fromEmbeddingModel(embeddingModel, { name: id }) };
}

async function reason(failure: unknown): Promise<string> {
  const { explainModelError } = await import('../models/index.ts');
  return visibleLine(explainModelError(failure).message);
}
