import type { NotificationParams, ResultOf } from '../methods/index.ts';
import type { FollowingUpdates, Watch, WatchOptions } from './rpc-client.ts';

export function followSession(
  sessionId: string,
  options: WatchOptions,
  { onClose }: { onClose: (watchId: string | undefined) => void },
): FollowingUpdates & Watch {
  const { live = true, notes = true } = options;
  let cursor = options.after;
  let watchId: string | undefined;
  let session: string | undefined;
  let closed = false;

  const following: FollowingUpdates & Watch = {
    method: 'session/watch',
    get cursor() {
      return cursor;
    },
    get closed() {
      return closed;
    },
    params: () => ({
      sessionId: session ?? sessionId,
      ...(cursor !== undefined && { after: cursor }),
      live,
      notes,
    }),
    began(result) {
      const begun = result as ResultOf<'session/watch'>;
      watchId = begun.watchId;
      session = begun.sessionId;
      cursor ??= begun.after;
      // Closed before the server could say what it is called.
      if (closed) onClose(watchId);
    },
    refused({ code, message }) {
      closed = true;
      options.onEnd?.({ code, message });
    },
    hear(name, params) {
      if (closed) return;
      if (name === 'ai/session/event') {
        const { sessionId: about, event, turn, index } = params as NotificationParams<'ai/session/event'>;
        if (live && about === session) options.onEvent?.(event, { turn, index });
        return;
      }
      if ((params as { watchId?: string }).watchId !== watchId) return;
      if (name === 'session/entry') {
        const { entry, cursor: seq } = params as NotificationParams<'session/entry'>;
        if (cursor !== undefined && seq <= cursor) return;
        cursor = seq;
        options.onEntry?.(entry);
      } else if (name === 'session/caught-up') {
        cursor = Math.max(cursor ?? 0, (params as NotificationParams<'session/caught-up'>).cursor);
        options.onCaughtUp?.(cursor);
      } else if (name === 'session/watch-end') {
        closed = true;
        options.onEnd?.(params as NotificationParams<'session/watch-end'>);
      }
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
  return following;
}
