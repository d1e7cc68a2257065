import type { SessionInfo } from '../../record/index.ts';
import { cyan, dim } from '../terminal/paint.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/** One line per session: its id and its tags. */
export function renderTags(sessions: readonly SessionInfo[]): string[] {
  const width = Math.max(0, ...sessions.map(({ id }) => id.length));
  return sessions.map(({ id, state }) => {
    const tags = state.tags.map(visibleLine).join(', ');
    return `${cyan(id.padEnd(width))}  ${tags || dim('(no tags)')}`;
  });
}
