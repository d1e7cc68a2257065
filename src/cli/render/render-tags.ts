import type { SessionRecord } from '../../operations/index.ts';
import { cyan, dim } from '../terminal/paint.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/** One line per session: its id and its tags. */
export function renderTags(sessions: readonly Pick<SessionRecord, 'id' | 'tags'>[]): string[] {
  const width = Math.max(0, ...sessions.map(({ id }) => id.length));
  return sessions.map(({ id, tags }) => {
    const names = tags.map(visibleLine).join(', ');
    return `${cyan(id.padEnd(width))}  ${names || dim('(no tags)')}`;
  });
}
