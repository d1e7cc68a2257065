import { type EntryRecord, type LiveEvent, RpcError, type Watch } from '../../src/faces/rpc/client/index.ts';
import { isFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';
import { Watched } from '../connection/watched.ts';
import type { ShownCompaction, ShownMessage } from '../timeline/shown.ts';
import { withStoredMessage } from './live-turn.ts';
import { MeterReader } from './meter-reader.ts';
import { cardsOver, readOver } from './open-cards.ts';
import { NOTHING, type OpenState } from './open-state.ts';
import {
  type Page,
  readAround,
  readEarlier,
  readNewer,
  readNewest,
  readOlder,
  readRange,
} from './read-pages.ts';
import { shownCompaction, shownEntry, shownMessage } from './to-shown.ts';
import { TurnFollower } from './turn-follower.ts';

/** Events after which the next request, or the model that answers it, may be another. */
const CHANGE_METER: ReadonlySet<LiveEvent['type']> = new Set([
  'model-replaced',
  'agent-left-out',
  'turn-end',
  'turn-error',
]);

/** More than this are not kept in the page; dropped pages can be read again. */
const MOST = 1500;

/** A session as the page has it: a stretch of its timeline, kept up to date until it is closed. */
export class OpenSession {
  readonly id: string;
  readonly state = new Watched<OpenState>(NOTHING);
  readonly meter: MeterReader;
  readonly turns: TurnFollower;
  #watch: Watch | undefined;
  #closed = false;
  #loading = false;
  /** Pages that are being read collect entries here that come in between. */
  readonly #listening = new Set<ShownMessage[]>();
  #refreshing: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.id = id;
    this.meter = new MeterReader(id, this.state);
    this.turns = new TurnFollower(id, this.state);
  }

  async open(at?: number): Promise<void> {
    try {
      const got = await server.call('chat/session/get', { sessionId: this.id });
      if (this.#closed) return;
      this.turns.apply(got);
      const compactions = await this.#readCompactions();
      if (this.#closed) return;
      this.state.change({ compactions });
      await this.goTo(at);
      if (this.#closed) return;
      this.#watch = server.watch(this.id, {
        after: got.session.head,
        notes: false,
        onEntry: (entry) => this.#hear(entry),
        onEvent: (event, { turn }) => {
          this.turns.hear(event, turn);
          if (CHANGE_METER.has(event.type)) this.meter.readSoon();
        },
        onCaughtUp: () => this.turns.catchUp(),
        onEnd: ({ code, message }) => this.#fail(new RpcError(message, { rpcCode: -32000, code })),
      });
      this.meter.readSoon();
    } catch (error) {
      this.#fail(error);
    }
  }

  close(): void {
    this.#closed = true;
    this.#watch?.close();
    clearTimeout(this.#refreshing);
    this.meter.close();
    this.turns.close();
  }

  /** To an entry by its number, or to the newest message. */
  async goTo(seq?: number): Promise<void> {
    if (seq === undefined) {
      const page = await this.#readPage(() => readNewest(this.id));
      return this.#arrive({ ...page, target: undefined });
    }
    const cards = cardsOver(this.state.value.compactions, seq);
    const originals = await readOver(this.id, cards, seq);
    const page = await this.#readPage(() => readAround(this.id, seq));
    const leaf = cards.at(-1);
    const said = leaf ? originals.get(leaf.id)!.messages : page.messages;
    const id = said.findLast((message) => message.seq <= seq)?.id;
    const target = id && leaf ? `${cards.length}:${id}` : id;
    this.#arrive({ ...page, target, originals: new Map([...this.state.value.originals, ...originals]) });
  }

  /** For new messages: what comes of it is there. */
  async goToEnd(): Promise<void> {
    const { visit, newer } = this.state.value;
    if (newer !== null) await this.goTo();
    else if (visit > 0) this.#arrive({ target: undefined });
  }

  loadOlder = (): void =>
    this.#load(async ({ older }) => {
      if (older === null) return;
      const page = await readOlder(this.id, older);
      // With what has come since the page was asked for.
      const all = [...page.messages, ...this.state.value.messages];
      const cut =
        all.length > MOST ? { messages: all.slice(0, MOST), newer: all[MOST - 1]!.seq } : { messages: all };
      return { older: page.older, ...cut };
    });

  loadNewer = (): void =>
    this.#load(async ({ newer }) => {
      if (newer === null) return;
      const page = await this.#readPage(() => readNewer(this.id, newer));
      const all = [...this.state.value.messages, ...page.messages];
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
    const compactions = await this.#readCompactions();
    const page = few
      ? await this.#readPage(() => readNewer(this.id, first - 1, 500))
      : newer === null
        ? await this.#readPage(() => readNewest(this.id))
        : undefined;
    if (this.#closed) return;
    const read = page && { messages: page.messages, newer: page.newer, ...(!few && { older: page.older }) };
    this.state.change({ compactions, ...read });
    this.turns.read();
    this.meter.readSoon();
  }

  /** A page, and behind its end the messages that came while it was read. */
  async #readPage(read: () => Promise<Page>): Promise<Page> {
    const heard: ShownMessage[] = [];
    this.#listening.add(heard);
    try {
      const page = await read();
      const last = page.messages.at(-1)?.seq ?? 0;
      if (page.newer !== null) return page;
      return { ...page, messages: [...page.messages, ...heard.filter(({ seq }) => seq > last)] };
    } finally {
      this.#listening.delete(heard);
    }
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
        // A page for another place than the present one is dropped.
        (fields) => fields && !this.#closed && visit === this.state.value.visit && this.state.change(fields),
        (error) => this.#fail(error),
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
    for (const heard of this.#listening) heard.push(message);
    const known = messages.some(({ id }) => id === message.id);
    this.state.change({
      // Beyond a gap it comes with its page.
      ...(newer === null && !known && { messages: [...messages, message] }),
      sent: sent.filter(({ id }) => id !== message.id),
      ...(live && { live: withStoredMessage(live, message) }),
    });
    this.turns.readSoon();
    this.meter.readSoon();
  }

  /** Of a session that is gone nothing is shown any more. */
  #fail(error: unknown): void {
    if (this.#closed) return;
    const isGone = isFailure(error, 'session-gone') || isFailure(error, 'session-not-found');
    if (isGone) this.close();
    this.state.change({ ...(isGone && NOTHING), error });
  }

  #refreshSoon(): void {
    clearTimeout(this.#refreshing);
    this.#refreshing = setTimeout(() => this.refresh().catch((error) => this.#fail(error)), 60);
  }
}
