import {
  digestEntries,
  digestVersion,
  type Summarised,
  type SummariseRequest,
  type Summariser,
} from '../../compaction/index.ts';
import { withStatedLines } from './stated-lines.ts';

/**
 * The given summariser, or the digest, with every line that was stated. A model that fails is asked once more; if what it
 * writes is of no use, the digest writes the summary, so that stated lines are never lost with it.
 */
export function createWorkSummariser(model: Summariser | undefined): Summariser {
  const tried = new WeakSet<SummariseRequest>();
  return {
    name: model?.name ?? 'digest',
    async summarise(request, options) {
      const first = !tried.has(request);
      tried.add(request);
      const made = model && first ? await askTwice(model, request, options.signal) : digest(request);
      return { ...made, summary: withStatedLines(made.summary, request.entries) };
    },
  };
}

async function askTwice(
  model: Summariser,
  request: SummariseRequest,
  signal: AbortSignal,
): Promise<Summarised> {
  try {
    return await model.summarise(request, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return model.summarise(request, { signal });
  }
}

function digest({ entries, before, maxTokens }: SummariseRequest): Summarised {
  const background = before?.overview;
  return {
    summary: digestEntries(entries, { maxTokens, ...(background && { background }) }),
    by: { kind: 'digest', version: digestVersion },
  };
}
