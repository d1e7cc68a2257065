import type { Summariser } from '../../compaction/index.ts';
import { isThroughlineError } from '../../errors.ts';

/** The model that is named has to be there; one that is only set for the repository may be missing its key here. */
export async function openSummariser(
  named: string | undefined,
  usual: string | undefined,
): Promise<{ summariser?: Summariser; digestBecause?: string }> {
  const reference = named ?? usual;
  if (reference === undefined) return {};
  const { createModelSummariser } = await import('../../compaction/index.ts');
  const { openModel } = await import('../../models/index.ts');
  try {
    return { summariser: createModelSummariser(await openModel(reference)) };
  } catch (error) {
    if (named !== undefined || !isThroughlineError(error)) throw error;
    return { digestBecause: error.message };
  }
}
