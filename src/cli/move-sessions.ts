import { type Place, placeOf, type SessionInfo, titleOf } from '../record/index.ts';
import { describeSession } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { cyan, dim } from './terminal/paint.ts';
import { printJsonList, printLines } from './terminal/print.ts';
import { visibleLine } from './terminal/visible-text.ts';

const WORDS: Readonly<Record<Place, string>> = {
  active: 'in the list',
  archived: 'hidden',
  trashed: 'in the trash',
};

/** Puts sessions where they should be kept; one that is there already is left as it is. */
export async function moveSessions(
  store: Store,
  sessions: readonly SessionInfo[],
  {
    to,
    move,
    json = false,
  }: { to: Place; move: (store: Store, id: string) => Promise<void>; json?: boolean },
): Promise<void> {
  const moved: SessionInfo[] = [];
  for (const session of sessions) {
    if (placeOf(session.state) !== to) await move(store, session.id);
    moved.push((await store.session(session.id)) ?? session);
  }
  if (json) {
    return printJsonList(
      moved.map((session) => ({ ...describeSession(session), place: placeOf(session.state) })),
    );
  }
  await printLines(
    moved.map(({ id, state }) =>
      `${cyan(id)} is ${WORDS[placeOf(state)]}  ${dim(visibleLine(titleOf(state)))}`.trimEnd(),
    ),
  );
}
