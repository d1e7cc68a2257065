import { server } from '../connection/server.ts';
import type { Watched } from '../connection/watched.ts';
import type { Meter, OpenState } from './open-session.ts';

/** Keeps the meter of a session up to date. Counting a long session takes a while: changes that come during it are counted once, afterwards. */
export class MeterReader {
  readonly #id: string;
  readonly #state: Watched<OpenState>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #outdated = false;
  #closed = false;
  /** The model whose window counts; the session's own unless another was chosen. */
  model: string | undefined;

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
      const model = this.model === undefined ? {} : { model: this.model };
      const meter: Meter | undefined = await server
        .call('chat/context/meter', { sessionId: this.#id, ...model })
        .catch(() => undefined);
      if (!this.#closed && meter) this.#state.change({ meter });
    }
    this.#asking = false;
  }
}
