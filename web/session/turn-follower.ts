import type { LiveEvent, ResultOf } from '../../src/faces/rpc/client/index.ts';
import { server } from '../connection/server.ts';
import type { Watched } from '../connection/watched.ts';
import { advanceTurn, sayAutoCompacted, startTurn } from './live-turn.ts';
import type { OpenState } from './open-state.ts';
import { withStored } from './sent.ts';
import { runsElsewhere, sayEnd } from './turn-end.ts';

/** So many turns back it is looked up why one has no whole answer. */
const RECENT = 20;

/**
 * Follows the turns of a session: by live events while one runs, and by the record of the newest turn, which is read again
 * whenever one ends, after each reconnection, and when new messages come.
 */
export class TurnFollower {
  readonly #id: string;
  readonly #state: Watched<OpenState>;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the readings, so that an older one that comes late changes nothing. */
  #readings = 0;
  /** The line was down, and nothing was heard since: the turn that was running may be over. */
  #isUnsure = false;
  /** The turn of another program whose end is waited for. */
  #awaited: string | undefined;

  constructor(id: string, state: Watched<OpenState>) {
    this.#id = id;
    this.#state = state;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async read(): Promise<void> {
    const reading = ++this.#readings;
    const got = await server.call('chat/session/get', { sessionId: this.#id }).catch(() => undefined);
    if (got && !this.#closed && reading === this.#readings) this.apply(got);
  }

  readSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.read(), 200);
  }

  apply(got: ResultOf<'chat/session/get'>): void {
    const { sent, messages, live } = this.#state.value;
    const turn = got.turn ?? undefined;
    this.#state.change({ session: got.session, turn, sent: withStored(sent, got, messages) });
    const isSame = live !== undefined && live.turn === turn?.id;
    const isLost = this.#isUnsure && live?.running && !(isSame && turn?.status === 'running');
    // The record has the failure now.
    const isTold = isSame && turn?.status === 'failed' && !live.running && live.text === '';
    if (isLost || isTold) this.#state.change({ live: undefined });
    // A reading that was asked for before it ended is not applied: its end asked for this one.
    else if (live && !live.running) this.#state.change({ live: { ...live, lookedUp: true } });
    this.#isUnsure = false;
    if (turn && runsElsewhere(turn, this.#state.value.live)) this.#awaitEnd(turn.id);
  }

  /** No event tells how a turn ended while the line was down: if its record says that it is over, it is. */
  catchUp(): void {
    this.#isUnsure = true;
    this.read();
    this.#readReasons();
  }

  hear(event: LiveEvent, turn: string): void {
    // It has no turn yet: the one that is shown is the one that runs.
    if (event.type === 'input-stored' && event.waiting) return;
    this.#isUnsure = false;
    const { live, messages, autoCompacted } = this.#state.value;
    const current = live?.turn === turn ? live : startTurn(turn);
    const next = advanceTurn(current, event);
    const stored = next.ended !== undefined && messages.some(({ id }) => id === next.ended);
    this.#state.change({
      live: stored ? { ...next, text: '', reasoning: '', ended: undefined } : next,
      autoCompacted: sayAutoCompacted(event) ?? autoCompacted,
      ...(event.type === 'input-stored' && { asked: undefined }),
    });
    // A turn that begins makes the one before it an older one.
    if (event.type === 'input-stored') this.#readReasons();
    if (event.type === 'turn-end' || event.type === 'turn-error') this.read();
  }

  /** Of the turns before the newest one, which is followed by its own record. */
  async #readReasons(): Promise<void> {
    const asked = { sessionId: this.#id, limit: RECENT };
    const { turns } = await server.call('turn/list', asked).catch(() => ({ turns: [] }));
    const begun = turns.filter(({ status }) => status !== 'waiting');
    const reasons = begun.slice(1).flatMap((turn) => {
      // The row of an answer says that it is incomplete.
      const says = turn.status === 'interrupted' && turn.answer !== null ? undefined : sayEnd(turn);
      return says === undefined ? [] : [[turn.id, says] as const];
    });
    if (!this.#closed && turns.length > 0) this.#state.change({ reasons: new Map(reasons) });
  }

  /** This page hears no events of a turn that another program runs, so the server answers when it is over. */
  async #awaitEnd(turnId: string): Promise<void> {
    if (this.#awaited === turnId) return;
    this.#awaited = turnId;
    const asked = { sessionId: this.#id, turnId, wait: true };
    const over = await server.call('turn/get', asked).catch(() => undefined);
    this.#awaited = undefined;
    if (over && !this.#closed) await this.read();
  }
}
