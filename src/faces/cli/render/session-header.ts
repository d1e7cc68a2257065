import { placeOf, type SessionInfo } from '../../../record/index.ts';
import { sayCount, sayTitle } from '../../../text/index.ts';
import { bold, cyan, dim } from '../terminal/paint.ts';
import { sayAge } from '../terminal/say.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { wrapText } from '../terminal/text-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/** What a person wants to know before reading: which session this is, how long, how old, where from. */
export function renderSessionHeader(session: SessionInfo, title: string): string[] {
  const { id, parent, state, totals, updatedAt } = session;
  const { agent, project } = state.settings;
  const facts = [
    agent !== undefined && `agent ${visibleLine(agent)}`,
    sayCount(totals.messages, 'message'),
    `${sayCount(totals.tokens, 'token')} in the log`,
    sayAge(updatedAt),
  ];
  const origin =
    parent?.relation === 'fork' ? `forked from ${parent.session} at entry ${parent.seq}` : undefined;
  const more = [
    project !== undefined && `project ${visibleLine(project)}`,
    origin ?? (parent && `resumed from ${parent.session}`),
    state.tags.length > 0 && `tags: ${state.tags.map(visibleLine).join(', ')}`,
    { active: '', archived: 'hidden', trashed: 'in the trash' }[placeOf(state)],
  ];
  const line = (words: readonly unknown[]) => wrapText(words.filter(Boolean).join(' · '), screenWidth());
  return [
    bold(visibleLine(sayTitle(title))),
    cyan(id),
    dim(line(facts)),
    ...(line(more) ? [dim(line(more))] : []),
  ];
}
