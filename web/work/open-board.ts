import type { NotificationParams, ResultOf, Watch } from '../../src/faces/rpc/client/index.ts';
import { server } from '../connection/server.ts';
import { Watched } from '../connection/watched.ts';

export type Feature = ResultOf<'work/features'>['features'][number];
export type Task = Feature['tasks'][number];
export type SessionLink = Task['sessions'][number];
export type WorkSession = ResultOf<'work/sessions'>['sessions'][number];

type Change = Omit<NotificationParams<'sessions/changed'>, 'watchId'>;

export interface BoardState {
  /** Absent until the first answer. */
  readonly features: readonly Feature[] | undefined;
  /** How the sessions stand, by id. The links of a task are there before. */
  readonly sessions: ReadonlyMap<string, WorkSession>;
  readonly error: unknown;
  /** Why the sessions of a feature could not be read. */
  readonly broken: ReadonlyMap<string, unknown>;
}

/** Without a watch, the board is asked for again so often. */
const ASK_AGAIN_MS = 5_000;
const SOON_MS = 400;

/** The board of one project as it is now: it is read again when its log or one of its sessions is written to. */
export class OpenBoard {
  readonly project: string;
  readonly state = new Watched<BoardState>({
    features: undefined,
    sessions: new Map(),
    error: undefined,
    broken: new Map(),
  });
  #watch: Pick<Watch, 'close'> | undefined;
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
    this.#watch = server.watchSessions({
      onStart: () => this.refresh(),
      onChange: (change) => this.#hear(change),
      onEnd: () => {
        this.refresh();
        this.#timer = setInterval(() => isLookedAt() && this.refresh(), ASK_AGAIN_MS);
      },
    });
    document.addEventListener('visibilitychange', this.#back);
    addEventListener('focus', this.#back);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const timer of this.#soon.values()) clearTimeout(timer);
    this.#soon.clear();
    this.#watch?.close();
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
    } catch (error) {
      if (!this.#closed && this.#asked.get('') === number) this.state.change({ error });
    }
  }

  #hear({ sessions, projects }: Change): void {
    if (projects.includes(this.project)) this.look();
    const changed = new Set(sessions.map(({ id }) => id));
    for (const feature of this.state.value.features ?? [])
      if (linksOf(feature).some(({ session }) => changed.has(session))) this.#readSoon(feature.id);
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
}

function linksOf({ sessions, tasks }: Feature): SessionLink[] {
  return [...sessions, ...tasks.flatMap((task) => task.sessions)];
}

/** Without a connection there is nothing to ask; the page says that elsewhere, and reconnects. */
function isLookedAt(): boolean {
  return document.visibilityState === 'visible' && server.link.value.is === 'open';
}
