import type { EntryRecord, LiveEvent, ResultOf, SessionRecord, Watch } from '../../src/rpc/client/index.ts';
import { server } from '../connection/server.ts';
import { Watched } from '../connection/watched.ts';
import type { Originals, ShownCompaction, ShownMessage } from '../timeline/shown.ts';
import { type AutoCompacted, advanceTurn, type LiveTurn, sayAutoCompacted, startTurn } from './live-turn.ts';
import { cardsOver, readOver } from './open-cards.ts';
import { readAround, readEarlier, readNewer, readNewest, readOlder, readRange } from './read-pages.ts';
import { type Sent, withWaiting } from './sent.ts';
import { shownCompaction, shownEntry, shownMessage } from './to-shown.ts';

export type Meter = ResultOf<'chat/context/meter'>;

export interface OpenState {
  readonly session: SessionRecord | undefined;
  readonly messages: readonly ShownMessage[];
  /** Cursors; `null` when there is nothing further that way. */
  readonly older: number | null;
  readonly newer: number | null;
  readonly compactions: readonly ShownCompaction[];
  readonly originals: ReadonlyMap<string, Originals>;
  readonly live: LiveTurn | undefined;
  readonly sent: readonly Sent[];
  readonly meter: Meter | undefined;
  readonly autoCompacted: AutoCompacted | undefined;
  readonly error: unknown;
  /** Counts the places gone to, so that the timeline knows when to scroll. */
  readonly visit: number;
  readonly target: string | undefined;
}

const NOTHING: OpenState = {
  session: undefined,
  messages: [],
  older: null,
  newer: null,
  compactions: [],
  originals: new Map(),
  live: undefined,
  sent: [],
  meter: undefined,
  autoCompacted: undefined,
  error: undefined,
  visit: 0,
  target: undefined,
};

/** More than this are not kept in the page; what is dropped can be read again. */
const MOST = 1500;

/** A session as the page has it: a stretch of its timeline, kept up to date until it is closed. */
export class OpenSession {
  readonly id: string;
  readonly state = new Watched<OpenState>(NOTHING);
  #watch: Watch | undefined;
  #closed = false;
  #loading = false;
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  #metering: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #outdated = false;
  #describing: ReturnType<typeof setTimeout> | undefined;
  model: string | undefined;

  constructor(id: string) {
    this.id = id;
  }

  async open(at?: number): Promise<void> {
    try {
      const got = await server.call('chat/session/get', { sessionId: this.id });
      if (this.#closed) return;
      this.#describe(got);
      const compactions = await this.#readCompactions();
      if (this.#closed) return;
      this.state.change({ compactions });
      await this.goTo(at);
      if (this.#closed) return;
      this.#watch = server.watch(this.id, {
        after: got.session.head,
        notes: false,
        onEntry: (entry) => this.#hear(entry),
        onEvent: (event, { turn }) => this.#hearLive(event, turn),
        onEnd: (error) => this.state.change({ error }),
      });
      this.measure();
    } catch (error) {
      this.state.change({ error });
    }
  }

  close(): void {
    this.#closed = true;
    this.#watch?.close();
    clearTimeout(this.#refreshing);
    clearTimeout(this.#metering);
    clearTimeout(this.#describing);
  }

  /** To an entry by its number, or to the newest message. */
  async goTo(seq?: number): Promise<void> {
    if (seq === undefined) {
      const page = await readNewest(this.id);
      return this.#arrive({ ...page, target: undefined });
    }
    const cards = cardsOver(this.state.value.compactions, seq);
    const [page, originals] = await Promise.all([readAround(this.id, seq), readOver(this.id, cards, seq)]);
    const leaf = cards.at(-1);
    const said = leaf ? originals.get(leaf.id)!.messages : page.messages;
    const id = said.findLast((message) => message.seq <= seq)?.id;
    const target = id && leaf ? `${cards.length}:${id}` : id;
    this.#arrive({ ...page, target, originals: new Map([...this.state.value.originals, ...originals]) });
  }

  /** For whoever says something: what comes of it is there. */
  async goToEnd(): Promise<void> {
    const { visit, newer } = this.state.value;
    if (newer !== null) await this.goTo();
    else if (visit > 0) this.#arrive({ target: undefined });
  }

  loadOlder = (): void =>
    this.#load(async ({ older, messages }) => {
      if (older === null) return;
      const page = await readOlder(this.id, older);
      const all = [...page.messages, ...messages];
      const cut =
        all.length > MOST ? { messages: all.slice(0, MOST), newer: all[MOST - 1]!.seq } : { messages: all };
      return { older: page.older, ...cut };
    });

  loadNewer = (): void =>
    this.#load(async ({ newer, messages }) => {
      if (newer === null) return;
      const page = await readNewer(this.id, newer);
      const all = [...messages, ...page.messages];
      const cut =
        all.length > MOST ? { messages: all.slice(-MOST), older: all.at(-MOST)!.seq } : { messages: all };
      return { newer: page.newer, ...cut };
    });

  async toggleOriginals({ id, covers, level }: ShownCompaction): Promise<void> {
    const originals = new Map(this.state.value.originals);
    if (originals.delete(id)) return this.state.change({ originals });
    const page = level > 1 ? { messages: [], earlier: false, more: false } : await readRange(this.id, covers);
    this.state.change({ originals: new Map(this.state.value.originals).set(id, page) });
  }

  loadOriginals({ id, covers }: ShownCompaction, side: 'earlier' | 'more'): void {
    this.#load(async ({ originals }) => {
      const known = originals.get(id);
      if (!known?.[side]) return;
      const grown =
        side === 'more'
          ? await readRange(this.id, { from: known.messages.at(-1)!.seq + 1, to: covers.to })
          : await readEarlier(this.id, { from: covers.from, to: known.messages[0]!.seq - 1 });
      const messages =
        side === 'more' ? [...known.messages, ...grown.messages] : [...grown.messages, ...known.messages];
      return { originals: new Map(originals).set(id, { ...known, messages, [side]: grown[side] }) };
    });
  }

  async loadWhole(id: string): Promise<void> {
    const { message } = await server.call('chat/message/get', { sessionId: this.id, id });
    const whole = shownMessage(message);
    const swap = (messages: readonly ShownMessage[]) =>
      messages.map((each) => (each.id === id ? whole : each));
    const originals = [...this.state.value.originals].map(
      ([card, part]) => [card, { ...part, messages: swap(part.messages) }] as const,
    );
    this.state.change({ messages: swap(this.state.value.messages), originals: new Map(originals) });
  }

  /** Reads anew what marks and compactions may have changed. */
  async refresh(): Promise<void> {
    const { messages, older, newer } = this.state.value;
    // From the very beginning if that is shown: what stands there may have been under a summary.
    const first = older === null ? 1 : messages[0]?.seq;
    const few = messages.length <= 400 && first !== undefined;
    const [page, compactions, got] = await Promise.all([
      few ? readNewer(this.id, first - 1, 500) : newer === null ? readNewest(this.id) : undefined,
      this.#readCompactions(),
      server.call('chat/session/get', { sessionId: this.id }),
    ]);
    if (this.#closed) return;
    const read = page && { messages: page.messages, newer: page.newer, ...(!few && { older: page.older }) };
    this.state.change({ compactions, ...read });
    this.#describe(got);
    this.measure();
  }

  measure(): void {
    clearTimeout(this.#metering);
    this.#metering = setTimeout(() => this.#askMeter(), 400);
  }

  /** Of a long session it takes a while: what changes meanwhile is asked about once, when that is answered. */
  async #askMeter(): Promise<void> {
    this.#outdated = true;
    if (this.#asking) return;
    this.#asking = true;
    while (this.#outdated && !this.#closed) {
      this.#outdated = false;
      const model = this.model === undefined ? {} : { model: this.model };
      const meter = await server
        .call('chat/context/meter', { sessionId: this.id, ...model })
        .catch(() => undefined);
      if (!this.#closed && meter) this.state.change({ meter });
    }
    this.#asking = false;
  }

  #arrive(fields: Partial<OpenState>): void {
    if (!this.#closed) this.state.change({ ...fields, visit: this.state.value.visit + 1 });
  }

  #load(read: (state: OpenState) => Promise<Partial<OpenState> | undefined>): void {
    if (this.#loading) return;
    this.#loading = true;
    const { visit } = this.state.value;
    read(this.state.value)
      .then(
        // Whoever went somewhere else meanwhile does not want this page any more.
        (fields) => fields && !this.#closed && visit === this.state.value.visit && this.state.change(fields),
        (error) => this.state.change({ error }),
      )
      .finally(() => {
        this.#loading = false;
      });
  }

  async #readCompactions(): Promise<ShownCompaction[]> {
    return (await server.call('chat/compaction/list', { sessionId: this.id })).map(shownCompaction);
  }

  #hear(entry: EntryRecord): void {
    const { messages, newer, sent, live, session } = this.state.value;
    const message = shownEntry(entry);
    if (session) this.state.change({ session: { ...session, head: entry.seq } });
    if (!message) {
      this.#refreshSoon();
      return;
    }
    const known = messages.some(({ id }) => id === message.id);
    this.state.change({
      // Beyond a gap it comes with its page.
      ...(newer === null && !known && { messages: [...messages, message] }),
      sent: sent.filter(({ id }) => id !== message.id),
      ...(live?.ended === message.id && { live: { ...live, text: '', reasoning: '', ended: undefined } }),
    });
    this.#describeSoon();
    this.measure();
  }

  #describe({ session, waiting }: ResultOf<'chat/session/get'>): void {
    const { sent, messages } = this.state.value;
    this.state.change({ session, sent: withWaiting(sent, waiting, messages) });
  }

  /** What was said is counted, and the first question is a title. */
  #describeSoon(): void {
    clearTimeout(this.#describing);
    this.#describing = setTimeout(async () => {
      const got = await server.call('chat/session/get', { sessionId: this.id }).catch(() => undefined);
      if (got && !this.#closed) this.#describe(got);
    }, 200);
  }

  #refreshSoon(): void {
    clearTimeout(this.#refreshing);
    this.#refreshing = setTimeout(() => this.refresh().catch((error) => this.state.change({ error })), 60);
  }

  #hearLive(event: LiveEvent, turn: string): void {
    // It has no turn yet: what is shown is the one that runs.
    if (event.type === 'input-stored' && event.waiting) return;
    const { live, messages, autoCompacted } = this.state.value;
    const current = live?.turn === turn ? live : startTurn(turn);
    const next = advanceTurn(current, event);
    const stored = next.ended !== undefined && messages.some(({ id }) => id === next.ended);
    this.state.change({
      live: stored ? { ...next, text: '', reasoning: '', ended: undefined } : next,
      autoCompacted: sayAutoCompacted(event) ?? autoCompacted,
    });
    if (event.type === 'turn-end' || event.type === 'turn-error') this.measure();
  }
}
