import type { LiveNote, Runs } from '../../operations/index.ts';
import type { SessionId } from '../../record/index.ts';
import { type RpcConnection, toNotification } from './connection.ts';

/** The events of turns, for one connection: each at most once, however many clients ask. */
interface TurnFollower {
  /** All turns of a session, until the function it returns is called. */
  watch(session: SessionId): () => void;
  /** One turn, until it is over or the function it returns is called. */
  follow(session: SessionId, turn: string): () => void;
  readonly active: boolean;
  /** The answer so far, and the open questions. */
  catchUp(session: SessionId): void;
}

interface Following {
  watchers: number;
  readonly turns: Set<string>;
  readonly stop: () => void;
  /** Deltas were left out for want of room: then comes everything so far, in their place. */
  behind: boolean;
  /** Events that wait for room, deltas not among them. */
  readonly kept: LiveNote[];
}

const texts = new WeakMap<LiveNote, string>();

/** The same words to everybody who looks on, so they are put into JSON once. */
function textOf(note: LiveNote): string {
  const known = texts.get(note) ?? toNotification('ai/session/event', note);
  texts.set(note, known);
  return known;
}

const DELTAS = new Set(['text-delta', 'reasoning-delta', 'tool-delta']);
const LAST = new Set(['turn-end', 'turn-error']);
const MOST_KEPT = 1000;

export function followTurns(
  runs: Runs,
  connection: RpcConnection,
  { onIdle }: { onIdle: () => void },
): TurnFollower {
  const sessions = new Map<SessionId, Following>();

  function hear(note: LiveNote, following: Following): void {
    if (following.watchers === 0 && !following.turns.has(note.turn)) return;
    if (!connection.full && !following.behind) {
      tell(note, following);
      return;
    }
    // Without the last one clients would not know that it is over.
    const isKept = LAST.has(note.event.type) || following.kept.length < MOST_KEPT;
    if (isKept && !DELTAS.has(note.event.type)) following.kept.push(note);
    if (!following.behind) void waitForRoom(note.sessionId, following);
  }

  function tell(note: LiveNote, { turns }: Following): void {
    connection.send(textOf(note));
    if (LAST.has(note.event.type)) leave(note.sessionId, () => turns.delete(note.turn));
  }

  async function waitForRoom(session: SessionId, following: Following): Promise<void> {
    following.behind = true;
    await connection.ready();
    following.behind = false;
    for (const note of following.kept.splice(0)) tell(note, following);
    sendSoFar(session);
  }

  function enter(session: SessionId): Following {
    const known = sessions.get(session);
    if (known) return known;
    const stop = runs.listen(session, (note) => hear(note, following));
    const following: Following = { watchers: 0, turns: new Set(), stop, behind: false, kept: [] };
    sessions.set(session, following);
    connection.signal.addEventListener('abort', stop, { once: true });
    return following;
  }

  function leave(session: SessionId, how: () => void): void {
    how();
    const following = sessions.get(session);
    if (!following || following.watchers > 0 || following.turns.size > 0) return;
    following.stop();
    connection.signal.removeEventListener('abort', following.stop);
    sessions.delete(session);
    onIdle();
  }

  function sendSoFar(session: SessionId): void {
    const note = runs.soFar(session);
    if (note) connection.send(textOf(note));
  }

  return {
    get active() {
      return sessions.size > 0;
    },
    watch(session) {
      const following = enter(session);
      following.watchers++;
      return () =>
        leave(session, () => {
          following.watchers--;
        });
    },
    follow(session, turn) {
      const { turns } = enter(session);
      turns.add(turn);
      return () => leave(session, () => turns.delete(turn));
    },
    catchUp(session) {
      sendSoFar(session);
      for (const note of runs.questions(session)) connection.send(textOf(note));
    },
  };
}
