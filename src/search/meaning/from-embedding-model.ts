import type { EmbeddingModel } from 'ai';
import type { Embedder } from '../recall.ts';

export interface EmbeddingOptions {
  /** What the index is known by; another name means another index. By default the provider and the model. */
  readonly name?: string;
  /** For one call. A provider that takes longer has failed; words are found all the same. */
  readonly timeoutMs?: number;
}

/** An embedder made of any embedding model of the AI SDK. Texts leave the machine for wherever that model is. */
export function fromEmbeddingModel(
  model: EmbeddingModel,
  { name = nameOf(model), timeoutMs = 30_000 }: EmbeddingOptions = {},
): Embedder {
  return {
    name,
    async embed(texts) {
      const { embedMany } = await import('ai');
      const { embeddings } = await embedMany({
        model,
        values: [...texts],
        maxRetries: 1,
        abortSignal: AbortSignal.timeout(timeoutMs),
      });
      return embeddings.map((vector) => Float32Array.from(vector));
    },
  };
}

function nameOf(model: EmbeddingModel): string {
  return typeof model === 'string' ? model : `${model.provider}:${model.modelId}`;
}
