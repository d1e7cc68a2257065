import { server } from '../connection/server.ts';
import type { Watched } from '../connection/watched.ts';
import type { Meter, OpenState } from './open-state.ts';

/**
 * Keeps the meter of a session up to date: the next request in numbers, the model that answers, and why it is another than the
 * session's. Counting a long session takes a while: changes that come during it are counted once, afterwards.
 */
export class MeterReader {
  readonly #id: string;
  readonly #state: Watched<OpenState>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #outdated = false;
  #closed = false;

  constructor(id: string, state: Watched<OpenState>) {
    this.#id = id;
    this.#state = state;
  }

  readSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), 400);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    this.#outdated = true;
    if (this.#asking) return;
    this.#asking = true;
    while (this.#outdated && !this.#closed) {
      this.#outdated = false;
      const meter: Meter | undefined = await server
        .call('chat/context/meter', { sessionId: this.#id })
        .catch(() => undefined);
      if (!this.#closed && meter) this.#state.change({ meter });
    }
    this.#asking = false;
  }
}
