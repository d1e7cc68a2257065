import type { ResultOf, SessionRecord } from '../../src/rpc/client/index.ts';
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

const EVERYTHING: Filter = { tag: undefined, project: undefined, place: 'active' };

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

  filter(fields: Partial<Filter>): void {
    this.state.change({ filter: { ...this.state.value.filter, ...fields }, loaded: false });
    this.refresh();
  }

  /** Reads as much anew as is shown, so that nobody loses their place. */
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
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.refresh(), 250);
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

export const listedSessions = new ListedSessions();
