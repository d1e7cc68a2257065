import type { LiveEvent, ResultOf } from '../../src/rpc/client/index.ts';
import { server } from '../connection/server.ts';
import type { Watched } from '../connection/watched.ts';
import { advanceTurn, sayAutoCompacted, startTurn } from './live-turn.ts';
import type { OpenState } from './open-session.ts';
import { withStored } from './sent.ts';
import { runsElsewhere } from './turn-end.ts';

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
  /** Counts the live events. */
  #heard = 0;
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

  /** False if the server could not be asked. */
  async read(): Promise<boolean> {
    const reading = ++this.#readings;
    const got = await server.call('chat/session/get', { sessionId: this.#id }).catch(() => undefined);
    if (got && !this.#closed && reading === this.#readings) this.apply(got);
    return got !== undefined;
  }

  readSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.read(), 200);
  }

  apply(got: ResultOf<'chat/session/get'>): void {
    const { sent, messages, live } = this.#state.value;
    const turn = got.turn ?? undefined;
    this.#state.change({ session: got.session, turn, sent: withStored(sent, got, messages) });
    // The record has the failure now.
    if (turn?.status === 'failed' && turn.id === live?.turn && !live.running && live.text === '')
      this.#state.change({ live: undefined });
    if (turn && runsElsewhere(turn, this.#state.value.live)) this.#awaitEnd(turn.id);
  }

  /** No event tells how a turn ended while the line was down: if its record says that it is over, it is. */
  async catchUp(): Promise<void> {
    const heard = this.#heard;
    if (!(await this.read()) || heard !== this.#heard) return;
    const { live, turn } = this.#state.value;
    if (live?.running && !(turn?.id === live.turn && turn.status === 'running'))
      this.#state.change({ live: undefined });
  }

  hear(event: LiveEvent, turn: string): void {
    // It has no turn yet: the one that is shown is the one that runs.
    if (event.type === 'input-stored' && event.waiting) return;
    this.#heard++;
    const { live, messages, autoCompacted } = this.#state.value;
    const current = live?.turn === turn ? live : startTurn(turn);
    const next = advanceTurn(current, event);
    const stored = next.ended !== undefined && messages.some(({ id }) => id === next.ended);
    this.#state.change({
      live: stored ? { ...next, text: '', reasoning: '', ended: undefined } : next,
      autoCompacted: sayAutoCompacted(event) ?? autoCompacted,
      ...(event.type === 'input-stored' && { asked: undefined }),
    });
    if (event.type === 'turn-end' || event.type === 'turn-error') this.read();
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
