import { constants } from 'node:os';
import type { Chat } from './chat.ts';

/** What Ctrl-C and the system's signals mean for a chat. */
interface Ending extends Disposable {
  readonly leaving: boolean;
  readonly signal: NodeJS.Signals | undefined;
  readonly exitCode: number | undefined;
  /** A line was entered: a Ctrl-C before it does not count any more. */
  stay(): void;
}

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;
const PATIENCE_MS = 5_000;

/** The first Ctrl-C stops the answer, a second one leaves; a third ends the process. A signal leaves at once. */
export function listenForEnd(chat: Chat): Ending {
  let leaving = false;
  let armed = false;
  let signal: NodeJS.Signals | undefined;

  chat.input.onInterrupt(() => {
    const { input, screen } = chat;
    const [stop] = chat.stops;
    // SIGINT in a pipe ends the chat, as SIGTERM does: a pipe has no second question to stop an answer for.
    if (!input.interactive && !leaving) return onSignal('SIGINT');
    if (stop && !stop.signal.aborted) {
      stop.abort();
      armed = true;
    } else if (armed && leaving) process.exit(128 + constants.signals.SIGINT);
    else if (armed) {
      leaving = true;
      armed = true;
      input.end();
    } else {
      armed = true;
      input.above(() => screen.whisper('(Ctrl-C again leaves)'));
    }
  });

  function onSignal(name: NodeJS.Signals): void {
    signal = name;
    leaving = true;
    // Before the rest: a turn goes by the signal that came first.
    chat.shutdown.abort();
    for (const stop of chat.stops) stop.abort();
    chat.input.end();
    // Whatever still holds it up, the log has everything.
    setTimeout(() => process.exit(exitCodeOf(name)), PATIENCE_MS).unref();
  }
  // A terminal gives Ctrl-C as a key, so that SIGINT comes from outside; in a pipe it comes as an interrupt.
  const signals: readonly NodeJS.Signals[] = chat.input.interactive ? [...SIGNALS, 'SIGINT'] : SIGNALS;
  for (const name of signals) process.on(name, onSignal);

  return {
    get leaving() {
      return leaving;
    },
    get signal() {
      return signal;
    },
    get exitCode() {
      return signal && exitCodeOf(signal);
    },
    stay() {
      armed = leaving;
    },
    [Symbol.dispose]() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}

function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
