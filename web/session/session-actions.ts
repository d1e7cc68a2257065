import { notify } from '../app/notices.tsx';
import { goTo } from '../app/route.ts';
import { sayFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';
import type { ShownMessage } from '../timeline/shown.ts';
import type { OpenSession } from './open-session.ts';

/** Puts what a compaction stands for back into the context, or takes it out again. */
export function expandCompaction(open: OpenSession, id: string, expanded: boolean): Promise<void> {
  return attempt(async () => {
    const method = expanded ? 'chat/compaction/expand' : 'chat/compaction/collapse';
    await server.call(method, { id, sessionId: open.id });
    await open.refresh();
    notify(
      'good',
      expanded ? 'The original messages are in the context again.' : 'The summary stands in for them again.',
    );
  });
}

export function pinMessage(open: OpenSession, { id }: ShownMessage, pinned: boolean): Promise<void> {
  return attempt(async () => {
    await server.call('chat/message/mark', {
      sessionId: open.id,
      ids: [id],
      mark: pinned ? 'pinned' : 'unpinned',
    });
    await open.refresh();
  });
}

export function restoreSession(open: OpenSession): Promise<void> {
  return attempt(async () => {
    const { session } = await server.call('chat/session/update', { sessionId: open.id, place: 'active' });
    open.state.change({ session });
    notify('good', 'The session is back from the trash.');
  });
}

/** To where an entry stands: it may be under a summary, or many pages away. */
export function showEntry(session: string, id: string): Promise<void> {
  return attempt(async () => {
    const { message } = await server.call('chat/message/get', { sessionId: session, id });
    goTo({ session, at: message.seq });
  });
}

async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    notify('bad', sayFailure(error));
  }
}
