import { emptySummary, type Merge, type SessionInfo, titleOf } from '../record/index.ts';
import { finishesTask } from '../summary/index.ts';
import type { BranchComparison } from './compare-branches.ts';
import type { Patch, Settlement } from './settle-conflicts.ts';

/** The body of a merge entry. */
export function mergeBody(
  { sessions, since }: BranchComparison,
  { patch, settled, left }: Pick<Settlement, 'patch' | 'settled' | 'left'>,
): Merge {
  const { added, dropped, files } = patch;
  const lists = Object.entries(added).map(([list, lines]) => [list, lines.map(copyLine)]);
  return {
    kind: 'merge',
    branch: sessions.theirs.id,
    head: sessions.theirs.head,
    since: { session: since.session, seq: since.seq },
    summary: {
      ...emptySummary(overviewOf(sessions.theirs, patch)),
      ...Object.fromEntries(lists),
      files: files.map((file) => ({ ...file })),
    },
    dropped: [...dropped],
    left: [...left],
    conflicts: [...settled],
  };
}

function copyLine({ text, from }: { text: string; from: readonly string[] }) {
  return { text, from: [...from] };
}

const LONGEST_TITLE = 80;

/** In a sentence or two, for readers of the summary: where it is from, and what holds no longer. */
function overviewOf({ id, state }: SessionInfo, { added, dropped }: Patch): string {
  const title = [...titleOf(state)].slice(0, LONGEST_TITLE).join('');
  const name = title ? `"${title}" (${id})` : id;
  // Finished tasks are named by the completed lines.
  const open = dropped.filter(({ text }) => !added.completed.some((done) => finishesTask(done.text, text)));
  const lines = open.map(({ text }) => text.replace(/[.!。]+$/, ''));
  const gone = lines.length > 0 ? ` No longer so: ${lines.join('; ')}.` : '';
  return `What the branch ${name} came to.${gone}`;
}
