import { type Access, reachesProject, reachesSession, showSession } from '../../operations/index.ts';
import { listProjects } from '../../project/index.ts';
import { type SessionId, type SessionInfo, storedPlaceOf } from '../../record/index.ts';
import type { RpcConnection } from './connection.ts';
import type { ListChange } from './list-changes.ts';
import type { Service } from './service.ts';

/** So many sessions in one notification; the rest comes in the next. */
const AT_ONCE = 100;

/**
 * Tells one connection which sessions have changed, as far as its token reaches, until `signal` aborts. For a client that
 * reads slowly changes add up: it gets each session once, as it is when there is room.
 */
export async function watchList(
  { store, changes, onError }: Pick<Service, 'store' | 'changes' | 'onError'>,
  {
    connection,
    access,
    watchId,
    signal,
  }: {
    connection: RpcConnection;
    access: Access;
    watchId: string;
    signal: AbortSignal;
  },
): Promise<void> {
  const waiting = new Map<SessionId, SessionInfo | undefined>();
  /** Reported before: only of these does it mean something that they are gone. */
  const told = new Set<SessionId>();
  let telling = false;

  function hear({ changed, gone }: ListChange): void {
    for (const info of changed) waiting.set(info.id, info);
    for (const id of gone) waiting.set(id, undefined);
    if (!telling) void tell().catch(onError);
  }

  async function tell(): Promise<void> {
    telling = true;
    try {
      while (waiting.size > 0 && !signal.aborted) {
        if (connection.full) await connection.ready();
        const batch = [...waiting].slice(0, AT_ONCE);
        for (const [id] of batch) waiting.delete(id);
        const note = await describe(batch);
        const isEmpty = note.sessions.length + note.gone.length + note.projects.length === 0;
        if (!isEmpty && !signal.aborted) connection.notify('sessions/changed', { watchId, ...note });
      }
    } finally {
      telling = false;
    }
  }

  async function describe(batch: readonly (readonly [SessionId, SessionInfo | undefined])[]) {
    const sessions: Awaited<ReturnType<typeof showSession>>[] = [];
    const gone: SessionId[] = [];
    const projects = new Set<string>();
    for (const [id, info] of batch) {
      const project = info && projectOf(info);
      if (project !== undefined) {
        if (await reachesProjectId(project)) projects.add(project);
      } else if (info && (await reachesSession(store, access, info))) {
        told.add(id);
        sessions.push(await showSession({ store, access }, info));
      } else if (access.projects === null || told.delete(id)) gone.push(id);
    }
    return { sessions, gone, projects: [...projects] };
  }

  async function reachesProjectId(id: string): Promise<boolean> {
    if (access.projects === null) return true;
    const project = (await listProjects(store)).find((each) => each.id === id);
    return project !== undefined && reachesProject(access, project);
  }

  const stop = await changes.listen(hear);
  if (signal.aborted) return stop();
  signal.addEventListener('abort', stop, { once: true });
}

/** The project whose memory or board this is the log of; `undefined` for a conversation. */
function projectOf({ id, state }: SessionInfo): string | undefined {
  if (storedPlaceOf(state) !== 'memory') return undefined;
  const { reserved, project } = state.settings;
  return reserved === 'work' && project !== undefined ? project : id;
}
