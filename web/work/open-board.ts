import type { ResultOf, Watch } from '../../src/rpc/client/index.ts';
import { server } from '../connection/server.ts';
import { Watched } from '../connection/watched.ts';

export type Feature = ResultOf<'work/features'>['features'][number];
export type Task = Feature['tasks'][number];
export type SessionLink = Task['sessions'][number];
export type WorkSession = ResultOf<'work/sessions'>['sessions'][number];

export interface BoardState {
  /** Absent until the first answer. */
  readonly features: readonly Feature[] | undefined;
  /** How the sessions stand, by id. The links of a task are there before. */
  readonly sessions: ReadonlyMap<string, WorkSession>;
  readonly error: unknown;
  /** Why the sessions of a feature could not be read. */
  readonly broken: ReadonlyMap<string, unknown>;
}

const LOOK_AGAIN_MS = 5_000;
const SOON_MS = 400;
/** Of a larger board, the newest; the others are read again when one comes back to the page. */
const MOST_WATCHED = 30;

/**
 * The board of one project as it is now. A session that works is followed entry by entry; the board itself has no line of
 * its own, so it is asked for now and then while somebody looks.
 */
export class OpenBoard {
  readonly project: string;
  readonly state = new Watched<BoardState>({
    features: undefined,
    sessions: new Map(),
    error: undefined,
    broken: new Map(),
  });
  readonly #watches = new Map<string, Watch>();
  readonly #soon = new Map<string, ReturnType<typeof setTimeout>>();
  /** Numbers the questions about each feature: an answer that was overtaken is dropped. */
  readonly #asked = new Map<string, number>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #closed = false;

  constructor(project: string) {
    this.project = project;
  }

  /** Keeps it up to date from now on. */
  open(): void {
    this.#closed = false;
    this.#timer = setInterval(() => isLookedAt() && this.look(), LOOK_AGAIN_MS);
    document.addEventListener('visibilitychange', this.#back);
    addEventListener('focus', this.#back);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const timer of this.#soon.values()) clearTimeout(timer);
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    document.removeEventListener('visibilitychange', this.#back);
    removeEventListener('focus', this.#back);
  }

  /** Everything anew. */
  async refresh(): Promise<void> {
    await this.look();
    for (const { id } of this.state.value.features ?? []) this.#readSoon(id, 0);
  }

  /** The features and tasks, and the sessions of those that have changed. */
  async look(): Promise<void> {
    const number = this.#next('');
    try {
      const { features } = await server.call('work/features', { project: this.project });
      if (this.#closed || this.#asked.get('') !== number) return;
      const { features: known, error } = this.state.value;
      const before = new Map(known?.map((one) => [one.id, JSON.stringify(one)]));
      const changed = features.filter((one) => before.get(one.id) !== JSON.stringify(one));
      if (changed.length > 0 || known?.length !== features.length || error !== undefined)
        this.state.change({ features, error: undefined });
      for (const { id } of changed) this.#readSoon(id, 0);
      this.#follow(features);
    } catch (error) {
      if (!this.#closed && this.#asked.get('') === number) this.state.change({ error });
    }
  }

  #back = (): void => {
    if (isLookedAt()) this.refresh();
  };

  #next(what: string): number {
    const number = (this.#asked.get(what) ?? 0) + 1;
    this.#asked.set(what, number);
    return number;
  }

  #readSoon(feature: string, delay = SOON_MS): void {
    // A session that is written to all the time is read now and then, not never.
    if (this.#soon.has(feature) || this.#closed) return;
    const read = () => {
      this.#soon.delete(feature);
      this.#readSessions(feature);
    };
    this.#soon.set(feature, setTimeout(read, delay));
  }

  async #readSessions(feature: string): Promise<void> {
    const key = `feature ${feature}`;
    const number = this.#next(key);
    const { broken: before } = this.state.value;
    const isCurrent = () => !this.#closed && this.#asked.get(key) === number;
    try {
      const read = await server.call('work/sessions', { project: this.project, feature });
      if (!isCurrent()) return;
      const sessions = new Map(this.state.value.sessions);
      for (const one of read.sessions) sessions.set(one.session, one);
      const broken = new Map([...before].filter(([id]) => id !== feature));
      this.state.change({ sessions, broken });
    } catch (error) {
      if (isCurrent()) this.state.change({ broken: new Map([...before, [feature, error]]) });
    }
  }

  #follow(features: readonly Feature[]): void {
    const links = features.flatMap(({ id, sessions, tasks }) =>
      [...sessions, ...tasks.flatMap((task) => task.sessions)].map((link) => ({ ...link, feature: id })),
    );
    const working = links
      .filter(({ ended }) => !ended)
      .toSorted((a, b) => b.at - a.at)
      .slice(0, MOST_WATCHED);
    const wanted = new Set(working.map(({ session }) => session));
    for (const [session, watch] of this.#watches) {
      if (wanted.has(session)) continue;
      watch.close();
      this.#watches.delete(session);
    }
    for (const { session, feature } of working) {
      if (this.#watches.has(session)) continue;
      const onEntry = () => this.#readSoon(feature);
      const watch = server.watch(session, { live: false, notes: false, onEntry });
      if (watch) this.#watches.set(session, watch);
    }
  }
}

/** Without a connection there is nothing to ask; the page says that elsewhere, and comes back by itself. */
function isLookedAt(): boolean {
  return document.visibilityState === 'visible' && server.link.value.is === 'open';
}
