import type { NotificationParams, ResultOf, SessionRecord } from '../../src/faces/rpc/client/index.ts';
import { server } from '../connection/server.ts';
import { Watched } from '../connection/watched.ts';

export type Place = 'active' | 'archived' | 'trashed';
export interface Filter {
  readonly tag: string | undefined;
  readonly project: string | undefined;
  readonly place: Place;
}

export interface ListState {
  readonly filter: Filter;
  readonly sessions: readonly SessionRecord[];
  readonly cursor: string | null;
  readonly loaded: boolean;
  readonly error: unknown;
  readonly tags: ResultOf<'chat/session/tags'>['tags'];
  readonly projects: ResultOf<'projects/list'>['projects'];
}

type Change = Omit<NotificationParams<'sessions/changed'>, 'watchId'>;

/** Without a watch, the list is asked for again so often. */
const ASK_AGAIN_MS = 20_000;
const SOON_MS = 300;

const EVERYTHING: Filter = { tag: undefined, project: undefined, place: 'active' };

export function isNarrowed({ tag, project, place }: Filter): boolean {
  return tag !== undefined || project !== undefined || place !== 'active';
}

/** The list at the left, a page at a time, the newest first. */
class ListedSessions {
  readonly state = new Watched<ListState>({
    filter: EVERYTHING,
    sessions: [],
    cursor: null,
    loaded: false,
    error: undefined,
    tags: [],
    projects: [],
  });
  #asked = 0;
  #soon: ReturnType<typeof setTimeout> | undefined;

  /** Keeps it up to date until the function it returns is called. */
  follow(): () => void {
    let timer: ReturnType<typeof setInterval> | undefined;
    const comeBack = () => isLookedAt() && this.refresh();
    const watch = server.watchSessions({
      onStart: () => this.refresh(),
      onChange: (change) => this.#hear(change),
      onEnd: () => {
        this.refresh();
        timer = setInterval(comeBack, ASK_AGAIN_MS);
      },
    });
    document.addEventListener('visibilitychange', comeBack);
    return () => {
      watch?.close();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', comeBack);
    };
  }

  /** Visible rows are changed in place. Whether something else belongs there is for the server to say. */
  #hear({ sessions: changed, gone, projects }: Change): void {
    const { sessions } = this.state.value;
    const known = new Map(sessions.map((session) => [session.id, session]));
    const isPlain = changed.every((now) => isSameBut(known.get(now.id), now));
    if (!isPlain || gone.length + projects.length > 0) {
      this.refreshSoon();
      return;
    }
    for (const now of changed) known.set(now.id, now);
    this.state.change({ sessions: [...known.values()].sort((a, b) => b.updatedAt - a.updatedAt) });
  }

  /** What a session that is started now has to have to be in the list. */
  get labels(): { readonly project?: string; readonly tags?: string[] } {
    const { tag, project } = this.state.value.filter;
    return { ...(project !== undefined && { project }), ...(tag !== undefined && { tags: [tag] }) };
  }

  showNew(): void {
    if (this.state.value.filter.place === 'active') this.refresh();
    else this.filter({ place: 'active' });
  }

  filter(fields: Partial<Filter>): void {
    this.state.change({ filter: { ...this.state.value.filter, ...fields }, loaded: false });
    this.refresh();
  }

  /** Reads as much anew as is shown, so that the scroll position stays. */
  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    const limit = Math.min(200, Math.max(50, this.state.value.sessions.length));
    try {
      const [page, { tags }, { projects }] = await Promise.all([
        server.call('chat/session/list', { ...this.#params(), limit }),
        server.call('chat/session/tags', {}),
        server.call('projects/list', {}),
      ]);
      if (asked === this.#asked)
        this.state.change({ ...page, tags, projects, loaded: true, error: undefined });
    } catch (error) {
      if (asked === this.#asked) this.state.change({ error, loaded: true });
    }
  }

  refreshSoon(): void {
    // Where something is written all the time it is read now and then, not never.
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.refresh();
    }, SOON_MS);
  }

  async loadMore(): Promise<void> {
    const { cursor } = this.state.value;
    if (cursor === null) return;
    const asked = this.#asked;
    const page = await server.call('chat/session/list', { ...this.#params(), cursor });
    const { sessions } = this.state.value;
    if (asked === this.#asked && this.state.value.cursor === cursor)
      this.state.change({ sessions: [...sessions, ...page.sessions], cursor: page.cursor });
  }

  #params() {
    const { tag, project, place } = this.state.value.filter;
    return { place, ...(tag !== undefined && { tag }), ...(project !== undefined && { project }) };
  }
}

/** Only its messages are new: it is in the list for the same reasons as before. */
function isSameBut(before: SessionRecord | undefined, now: SessionRecord): boolean {
  const labels = ({ place, project, tags, agent }: SessionRecord) =>
    JSON.stringify([place, project, tags, agent]);
  return before !== undefined && labels(before) === labels(now);
}

function isLookedAt(): boolean {
  return document.visibilityState === 'visible';
}

export const listedSessions = new ListedSessions();
