import type { Embedder, SearchIndex } from '../../search/index.ts';
import type { Store } from '../../store/index.ts';
import { sayCount } from '../../text/index.ts';
import { dimNote } from './terminal/paint.ts';
import { note } from './terminal/print.ts';
import { showProgress } from './terminal/show-progress.ts';
import { visibleLine } from './terminal/visible-text.ts';

interface IndexChoice {
  /** `provider:model`, or `minilm` for the sentence model; without it the embedded word table. */
  readonly embedding?: string | undefined;
  /** Prints no notes beside the results. */
  readonly quiet: boolean;
}

/** Opens the store's search index and catches it up to the last entry, with a line that shows the progress. */
export async function openChosenIndex(store: Store, { embedding, quiet }: IndexChoice): Promise<SearchIndex> {
  const { openSearchIndex } = await import('../../search/index.ts');
  const { onProgress, end } = showProgress('Reading what was written since');
  let failure: unknown;
  const index = openSearchIndex(store, {
    ...(embedding && { embedder: await embedderOf(embedding) }),
    onEmbedderFailure(error) {
      failure = error;
    },
    onProgress,
    patienceMs: Number.POSITIVE_INFINITY,
  });
  try {
    const { report } = await index.current();
    end();
    if (!quiet && report) await noteGaps(report, failure);
  } catch (error) {
    end();
    await index[Symbol.asyncDispose]();
    throw error;
  }
  return index;
}

async function embedderOf(reference: string): Promise<Embedder> {
  if (reference === 'minilm') return (await import('../../search/index.ts')).openSentenceModel();
  const { openEmbedding } = await import('../../models/index.ts');
  const { fromEmbeddingModel } = await import('../../search/index.ts');
  const { embeddingModel, id } = await openEmbedding(reference);
  return fromEmbeddingModel(embeddingModel, { name: id });
}

async function noteGaps(
  { unreadable, withoutMeaning }: { unreadable: number; withoutMeaning: number },
  failure: unknown,
): Promise<void> {
  if (unreadable > 0)
    note(
      dimNote(
        `${sayCount(unreadable, 'entry', 'entries')} could not be read; "throughline doctor" says which.`,
      ),
    );
  if (withoutMeaning === 0) return;
  const { explainModelError } = await import('../../models/index.ts');
  const reason = visibleLine(explainModelError(failure).message);
  note(dimNote(`${sayCount(withoutMeaning, 'message is', 'messages are')} found by words only: ${reason}`));
}
