import type { Session } from '../session/index.ts';
import type { TurnInput } from './accept-input.ts';
import { runTurn } from './run-turn.ts';
import type { TurnEvent, TurnResult } from './turn-event.ts';
import type { TurnOptions } from './turn-options.ts';

/**
 * `runTurn` with its events as they happen; the result is the last one, and what the generator returns. A caller
 * that stops listening stops the turn. Fails as `runTurn` does, after every event that came before.
 */
export async function* streamTurn(
  session: Session,
  input: TurnInput,
  options: Omit<TurnOptions, 'onEvent'> = {},
): AsyncGenerator<TurnEvent, TurnResult, void> {
  const leave = new AbortController();
  const { signal } = options;
  let events: TurnEvent[] = [];
  let { promise: news, resolve: ring } = Promise.withResolvers<void>();
  let over = false;
  const result = runTurn(session, input, {
    ...options,
    signal: signal ? AbortSignal.any([signal, leave.signal]) : leave.signal,
    onEvent(event) {
      events.push(event);
      ring();
    },
  }).finally(() => {
    over = true;
    ring();
  });
  // The caller sees a failure when it awaits the result; until then it must not count as unhandled.
  result.catch(() => {});
  try {
    for (;;) {
      const come = events;
      events = [];
      yield* come;
      if (over && events.length === 0) return await result;
      if (events.length > 0) continue;
      await news;
      ({ promise: news, resolve: ring } = Promise.withResolvers<void>());
    }
  } finally {
    leave.abort();
    // The turn is closed before the caller goes on, so that the session can be closed too.
    await result.catch(() => {});
  }
}
