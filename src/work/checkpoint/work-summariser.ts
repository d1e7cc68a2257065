import {
  digestRange,
  type Summarised,
  type SummariseRequest,
  type Summariser,
  type SummariserOptions,
} from '../../compaction/index.ts';
import { withStatedLines } from './stated-lines.ts';

/**
 * The given summariser, or the digest, with every line that was stated. A model that fails is asked once more; if what it
 * writes is of no use, the digest writes the summary, so that stated lines are never lost with it.
 */
export function createWorkSummariser(model: Summariser | undefined): Summariser {
  const tried = new WeakSet<SummariseRequest>();
  const summariser: Summariser = {
    name: model?.name ?? 'digest',
    get withoutModel() {
      return model ? createWorkSummariser(undefined) : summariser;
    },
    async summarise(request, options) {
      const first = !tried.has(request);
      tried.add(request);
      const made = model && first ? await askTwice(model, request, options) : digestRange(request);
      return { ...made, summary: withStatedLines(made.summary, request.entries) };
    },
  };
  return summariser;
}

async function askTwice(
  model: Summariser,
  request: SummariseRequest,
  options: SummariserOptions,
): Promise<Summarised> {
  try {
    return await model.summarise(request, options);
  } catch (error) {
    if (options.signal.aborted) throw error;
    return model.summarise(request, options);
  }
}
