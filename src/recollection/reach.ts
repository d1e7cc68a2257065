import { ThroughlineError } from '../errors.ts';
import { belongsTo, type IsOfProject, idsOf, projectOfSession } from '../memory/index.ts';
import type { Filters } from '../recall/index.ts';
import type { SessionId, SessionInfo } from '../record/index.ts';
import { type LineageNode, readLineage } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { readForebears } from './forebears.ts';

/** How far an agent may look from the session it works in. Its family are its forebears, their forks and resumptions. */
export type Reach = 'session' | 'family' | 'project' | 'everywhere';

/** A session without a project reaches as far as its family. */
export async function filtersOf(store: Store, own: SessionInfo, reach: Reach): Promise<Filters> {
  if (reach === 'everywhere') return {};
  if (reach === 'session') return { session: own.id };
  const isOf = await sameProject(store, own, reach);
  return isOf ? { sessions: await idsOf(store, isOf) } : { lineage: own.id };
}

/** The sessions that the index has to know to search so far; `undefined` for all. */
export async function sessionsWithin(
  store: Store,
  own: SessionInfo,
  reach: Reach,
): Promise<readonly SessionId[] | undefined> {
  if (reach === 'session') return (await readForebears(store, own)).sessions;
  if (reach === 'everywhere' || (await sameProject(store, own, reach))) return undefined;
  return familyOf(store, own);
}

export async function checkReach(
  store: Store,
  own: SessionInfo,
  { asked, reach }: { asked: SessionInfo; reach: Reach },
): Promise<void> {
  if (asked.id === own.id || (await isWithin(store, own, { asked, reach }))) return;
  throw new ThroughlineError(
    'session-not-found',
    `Session "${asked.id}" is not within reach here. Leave "session" out to look where you may.`,
    { details: { session: asked.id, reach } },
  );
}

async function isWithin(
  store: Store,
  own: SessionInfo,
  { asked, reach }: { asked: SessionInfo; reach: Reach },
): Promise<boolean> {
  if (reach === 'everywhere' || reach === 'session') return reach === 'everywhere';
  const isOf = await sameProject(store, own, reach);
  return isOf ? isOf(asked) : (await familyOf(store, own)).includes(asked.id);
}

async function familyOf(store: Store, own: SessionInfo): Promise<SessionId[]> {
  const idsIn = ({ session, children }: LineageNode): SessionId[] => [session.id, ...children.flatMap(idsIn)];
  return idsIn((await readLineage(store, own)).root);
}

/** Tells the sessions of its project, if it has one and may look there. */
async function sameProject(store: Store, own: SessionInfo, reach: Reach): Promise<IsOfProject | undefined> {
  const project = reach === 'project' ? await projectOfSession(store, own) : undefined;
  return project && belongsTo(store, project);
}
