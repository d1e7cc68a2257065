import { isSessionMissing } from '../../errors.ts';
import type { SessionId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { knownProject } from '../projects/known-project.ts';
import type { Project } from '../projects/project.ts';
import { EMPTY_MEMORY, foldFacts, type Memory } from './fold-facts.ts';

const PAGE = 1000;

/** What a project knows, or knew before: `before` is read on from where it stands. A project without a log knows nothing. */
export async function readMemory(
  store: Store,
  project: Project | SessionId,
  { before = EMPTY_MEMORY }: { before?: Memory } = {},
): Promise<Memory> {
  const log = typeof project === 'string' ? project : (await knownProject(store, project))?.id;
  if (log === undefined) return EMPTY_MEMORY;
  let memory = before;
  try {
    for (;;) {
      const entries = await store.read(log, { after: memory.head, limit: PAGE, only: 'notes' });
      memory = foldFacts(entries, memory);
      if (entries.length < PAGE) return memory;
    }
  } catch (error) {
    if (isSessionMissing(error)) return EMPTY_MEMORY;
    throw error;
  }
}
