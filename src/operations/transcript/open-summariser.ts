import type { Summariser } from '../../compaction/index.ts';
import { isThroughlineError } from '../../errors.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';

interface SessionInStore {
  readonly store: Store;
  readonly info: SessionInfo;
}

/**
 * The model that is named has to be there. One that is only set for the repository may lack its key on this machine: then
 * every summary fails with that reason, or the digest writes them.
 */
export async function openSummariser(
  named: string | undefined,
  usual: string | undefined,
  { orDigest, of }: { orDigest: boolean /** The session that it summarises. */; of?: SessionInStore },
): Promise<{ summariser?: Summariser; digestBecause?: string }> {
  const reference = named ?? usual;
  if (reference === undefined) return {};
  const { createModelSummariser } = await import('../../compaction/index.ts');
  const { openModel } = await import('../../models/index.ts');
  try {
    const opened = await openModel(reference);
    if (!of) return { summariser: createModelSummariser(opened) };
    const { summariserFor } = await import('../../agent/index.ts');
    return { summariser: await summariserFor(of.store, of.info, { opened }) };
  } catch (error) {
    if (named !== undefined || !isThroughlineError(error)) throw error;
    if (orDigest) return { digestBecause: error.message };
    return { summariser: { name: reference, summarise: () => Promise.reject(error) } };
  }
}
