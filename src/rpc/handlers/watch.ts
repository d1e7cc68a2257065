import type { Handler } from '../call.ts';
import { refused } from '../error-codes.ts';

const start: Handler<'session/watch'> = async ({ sessionId, ...options }, { find, line }) => {
  const info = await find(sessionId);
  if (!line)
    throw refused(
      'usage',
      'Nothing can be sent behind this answer. Watch over a WebSocket, over stdio, or with "Accept: text/event-stream".',
    );
  const { watchId, after } = line.watches.start(info, options);
  return { watchId, sessionId: info.id, after, head: info.head };
};

const end: Handler<'session/unwatch'> = ({ watchId }, { line }) => ({
  ended: line?.watches.end(watchId) ?? false,
});

export const watch = { 'session/watch': start, 'session/unwatch': end };
