import type { NotificationParams, ResultOf } from '../methods/index.ts';
import type { FollowingUpdates, WatchSessionsOptions } from './rpc-client.ts';

/** It has no cursor: a client that begins, or begins again, reads the list. */
export function followList(
  { onStart, onChange, onEnd }: WatchSessionsOptions,
  { onClose }: { onClose: (watchId: string | undefined) => void },
): FollowingUpdates {
  let watchId: string | undefined;
  let closed = false;
  return {
    method: 'sessions/watch',
    get closed() {
      return closed;
    },
    params: () => ({}),
    began(result) {
      ({ watchId } = result as ResultOf<'sessions/watch'>);
      // Closed before the server could say what it is called.
      if (closed) onClose(watchId);
      else onStart?.();
    },
    refused({ code, message }) {
      closed = true;
      onEnd?.({ code, message });
    },
    hear(name, params) {
      if (closed || name !== 'sessions/changed') return;
      const { watchId: about, ...change } = params as NotificationParams<'sessions/changed'>;
      if (about === watchId) onChange?.(change);
    },
    lost() {
      watchId = undefined;
    },
    close() {
      if (closed) return;
      closed = true;
      onClose(watchId);
    },
  };
}
