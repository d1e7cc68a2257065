import { type App, perform, printedBy } from '../../operations/index.ts';
import type { Place, SessionInfo } from '../../record/index.ts';
import { cyan, dim } from './terminal/paint.ts';
import { printJsonList, printLines } from './terminal/print.ts';
import { visibleLine } from './terminal/visible-text.ts';

const COMMANDS = { archived: 'hide', trashed: 'trash', active: 'restore' } as const;

const WORDS: Readonly<Record<Place, string>> = {
  active: 'in the list',
  archived: 'hidden',
  trashed: 'in the trash',
};

/** Puts sessions into a place; one that is there already is left as it is. */
export async function moveSessions(
  app: App,
  sessions: readonly SessionInfo[],
  { to: place, json = false }: { to: Place; json?: boolean },
): Promise<void> {
  const { updateSession } = await import('../../operations/session/index.ts');
  const moved = [];
  for (const { id } of sessions) moved.push(await perform(updateSession, { sessionId: id, place }, app));
  if (json) return printJsonList(moved.map((one) => printedBy(updateSession, COMMANDS[place], one)));
  await printLines(
    moved.map(({ session: { id, title, place: now } }) =>
      `${cyan(id)} is ${WORDS[now]}  ${dim(visibleLine(title))}`.trimEnd(),
    ),
  );
}
