/** Waits for `work`, but no longer than until the signal aborts: a tool that ignores its signal holds nobody up. */
export function stoppable<T>(work: Promise<T> | T, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const stop = () => reject(new Stopped());
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  // Also when nobody waits any more: what goes wrong later must not count as unhandled.
  Promise.resolve(work)
    .then(resolve, reject)
    .finally(() => signal.removeEventListener('abort', stop));
  return promise;
}

export class Stopped extends Error {
  override readonly name = 'Stopped';
}
