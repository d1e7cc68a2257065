import { refused } from '../../operations/index.ts';
import type { Handler, Line } from '../call.ts';

const start: Handler<'session/watch'> = async ({ sessionId, ...options }, { find, line }) => {
  const info = await find(sessionId);
  const { watchId, after } = watchesOf(line).start(info, options);
  return { watchId, sessionId: info.id, after, head: info.head };
};

const startList: Handler<'sessions/watch'> = (_, { access, line }) => watchesOf(line).startList(access);

function watchesOf(line: Line | undefined): Line['watches'] {
  if (line) return line.watches;
  throw refused(
    'usage',
    'Nothing can be sent behind this answer. Watch over a WebSocket, over stdio, or with "Accept: text/event-stream".',
  );
}

const end: Handler<'session/unwatch'> = ({ watchId }, { line }) => ({
  ended: line?.watches.end(watchId) ?? false,
});

export const watch = { 'session/watch': start, 'sessions/watch': startList, 'session/unwatch': end };
