import { sayTokens } from '../../src/faces/rpc/client/index.ts';
import { isFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';
import type { ApprovalScope } from './live-turn.ts';
import { newId } from './new-id.ts';
import type { OpenSession } from './open-session.ts';
import type { Sent } from './sent.ts';

/** Messages in a session from this page: sending, adding to an answer, asking again, stopping. */
export class Talk {
  readonly #open: OpenSession;
  #aiSession: string | undefined;

  constructor(open: OpenSession) {
    this.#open = open;
  }

  async send(text: string): Promise<void> {
    this.#showEnd();
    await this.#deliver({ id: newId(), text, is: 'sending', error: undefined });
  }

  /** Hands a message in to the running turn. If that is over by then, it is sent as a message, under the same id. */
  async add(text: string): Promise<void> {
    this.#showEnd();
    await this.#handIn({ id: newId(), text, is: 'adding', error: undefined });
  }

  /** With the id it had: if it did arrive, it is not stored twice. */
  async sendAgain(sent: Sent): Promise<void> {
    const again = { ...sent, error: undefined };
    await (sent.is === 'adding' ? this.#handIn(again) : this.#deliver(again));
  }

  drop({ id }: Sent): void {
    const { state } = this.#open;
    state.change({ sent: state.value.sent.filter((other) => other.id !== id) });
  }

  /** Asks again for the turn that is shown as unfinished, and for no other. What waits is answered after it. */
  async askAgain(turnId: string): Promise<void> {
    await this.#ask(() => server.call('turn/retry', { sessionId: this.#open.id, turnId, stream: false }));
  }

  /** Answers the messages that wait. */
  async answerWaiting(): Promise<void> {
    const { id, state, turns } = this.#open;
    await this.#ask(async () => {
      const sessionId = await this.#opened();
      const { started } = await server.call('ai/session/continue', {
        sessionId,
        storageSessionId: id,
        stream: false,
      });
      if (started) return;
      await turns.read();
      const { live, sent } = state.value;
      if (!live?.running && sent.some(({ is }) => is === 'waiting'))
        throw new Error('The server did not begin an answer. The message is still stored; try again.');
    });
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
    this.#open.meter.readSoon();
  }

  /** Nothing that is shown goes away before the answer begins; what the call failed with is shown beside it. */
  async #ask(call: () => Promise<unknown>): Promise<void> {
    const { state, turns } = this.#open;
    state.change({ asked: { error: undefined } });
    try {
      await call();
      state.change({ asked: undefined });
    } catch (error) {
      state.change({ asked: { error } });
      // The turn may be another one by now: it was asked again in another window, or has its answer.
      await turns.read();
    }
  }

  async #handIn(sent: Sent): Promise<void> {
    const { id: sessionId, state } = this.#open;
    this.#put(sent);
    try {
      const turnId = state.value.live?.turn;
      await server.call('turn/steer', {
        sessionId,
        content: sent.text,
        id: sent.id,
        ...(turnId !== undefined && { turnId }),
      });
      this.#confirm({ ...sent, is: 'added' });
    } catch (error) {
      if (isFailure(error, 'turn-not-running')) await this.#deliver({ ...sent, is: 'sending' });
      else this.#put({ ...sent, error });
    }
  }

  async #deliver(sent: Sent): Promise<void> {
    const { id: sessionId } = this.#open;
    this.#put(sent);
    try {
      const { waiting } = await server.call('ai/session/send', {
        sessionId: await this.#opened(),
        storageSessionId: sessionId,
        content: sent.text,
        id: sent.id,
        stream: false,
        // A person is looking, and may choose to fork instead.
        waitMs: 0,
      });
      if (waiting) this.#confirm({ ...sent, is: 'waiting' });
    } catch (error) {
      this.#aiSession = undefined;
      this.#put({ ...sent, error });
    }
  }

  /** If the end cannot be read, neither can this be sent, and the failure of that is shown. */
  #showEnd(): void {
    this.#open.goToEnd().catch(() => {});
  }

  #put(sent: Sent): void {
    const { state } = this.#open;
    const others = state.value.sent.filter(({ id }) => id !== sent.id);
    state.change({ sent: [...others, sent], asked: undefined });
  }

  /** Unless it is in the timeline already. */
  #confirm(sent: Sent): void {
    if (this.#open.state.value.sent.some(({ id }) => id === sent.id)) this.#put(sent);
  }

  /** Going on is what may compact, so it waits until something is said: reading changes nothing. */
  async #opened(): Promise<string> {
    if (this.#aiSession) return this.#aiSession;
    const { state, id } = this.#open;
    const resumed = await server.call('ai/session/resume', { chatSessionId: id, waitMs: 0 });
    this.#aiSession = resumed.aiSessionId;
    if (resumed.autoCompacted && resumed.compactionId) {
      const text = `Older messages were summarised to fit the window of ${sayTokens(resumed.contextWindow)} tokens.`;
      state.change({ autoCompacted: { compactionId: resumed.compactionId, text } });
    }
    return resumed.aiSessionId;
  }
}
