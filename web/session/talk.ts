import { sayTokens } from '../app/say-amounts.ts';
import { server } from '../connection/server.ts';
import type { ApprovalScope } from './live-turn.ts';
import { newId } from './new-id.ts';
import type { OpenSession } from './open-session.ts';
import type { Sent } from './sent.ts';

/** What is said in a session from this page: sending, asking again, stopping. */
export class Talk {
  readonly #open: OpenSession;
  #aiSession: string | undefined;

  constructor(open: OpenSession) {
    this.#open = open;
  }

  async send(text: string): Promise<void> {
    // If the end cannot be read, neither can this be sent, which is told then.
    this.#open.goToEnd().catch(() => {});
    await this.#deliver({ id: newId(), text, waiting: false, error: undefined });
  }

  /** With the id it had: if it did arrive, it is not stored twice. */
  async sendAgain(sent: Sent): Promise<void> {
    await this.#deliver({ ...sent, error: undefined });
  }

  drop({ id }: Sent): void {
    const { state } = this.#open;
    state.change({ sent: state.value.sent.filter((other) => other.id !== id) });
  }

  async askAgain(): Promise<void> {
    const { state, id } = this.#open;
    const { live } = state.value;
    // Before the call: what comes of the answer may be here sooner than the result.
    state.change({ live: undefined });
    try {
      const sessionId = await this.#opened();
      await server.call('ai/session/continue', { sessionId, storageSessionId: id, stream: false });
    } catch (error) {
      state.change({ live, error });
    }
  }

  async stop(): Promise<void> {
    await server.call('ai/session/cancel', { chatSessionId: this.#open.id });
  }

  /** Without a scope it is a no. */
  async answerTool(toolCallId: string, scope: ApprovalScope | undefined): Promise<void> {
    const approve = scope !== undefined;
    await server.call('ai/tool/answer', { chatSessionId: this.#open.id, toolCallId, approve, scope });
  }

  /** From now on this model answers here. */
  async chooseModel(model: string): Promise<void> {
    const { session } = await server.call('chat/session/update', { sessionId: this.#open.id, model });
    this.#aiSession = undefined;
    this.#open.state.change({ session });
    this.#open.model = model;
    this.#open.measure();
  }

  async #deliver(sent: Sent): Promise<void> {
    const { state, id: sessionId } = this.#open;
    const others = () => state.value.sent.filter(({ id }) => id !== sent.id);
    state.change({
      sent: [...others(), sent],
      live: state.value.live?.running ? state.value.live : undefined,
    });
    try {
      const { waiting } = await server.call('ai/session/send', {
        sessionId: await this.#opened(),
        storageSessionId: sessionId,
        content: sent.text,
        id: sent.id,
        stream: false,
      });
      const stillSent = state.value.sent.some(({ id }) => id === sent.id);
      if (waiting && stillSent) state.change({ sent: [...others(), { ...sent, waiting }] });
    } catch (error) {
      this.#aiSession = undefined;
      state.change({ sent: [...others(), { ...sent, error }] });
    }
  }

  /** Going on is what may compact, so it waits until something is said: reading changes nothing. */
  async #opened(): Promise<string> {
    if (this.#aiSession) return this.#aiSession;
    const { state, id } = this.#open;
    const resumed = await server.call('ai/session/resume', { chatSessionId: id });
    this.#aiSession = resumed.aiSessionId;
    if (resumed.autoCompacted && resumed.compactionId) {
      const text = `Older messages were summarised to fit the window of ${sayTokens(resumed.contextWindow)} tokens.`;
      state.change({ autoCompacted: { compactionId: resumed.compactionId, text } });
    }
    return resumed.aiSessionId;
  }
}
