import type { Summariser } from '../compaction/index.ts';
import type { Project } from '../memory/index.ts';
import type { SessionId } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import type { AgentReader } from './agents/read-agents.ts';
import type { Board } from './board/board.ts';
import type { BoardPlace } from './board/open-board.ts';
import type { Compactor } from './checkpoint/compactor.ts';
import type { ProjectReader } from './context/read-project.ts';
import type { SessionReader } from './request/session-view.ts';

/** Tokens that a whole request may take, unless somebody said otherwise. */
export const REQUEST_TOKENS = 100_000;

export interface WorkOptions {
  /** Where one works; the board is that of the project this folder is in. Defaults to the current folder. */
  readonly folder?: string;
  /** The project, if it is known already. */
  readonly project?: Project;
  /** Tokens that a whole request may take. 100,000 unless given. */
  readonly budget?: number;
  /** Writes summaries; without one the digest does. */
  readonly summariser?: Summariser;
  readonly now?: () => number;
  /** Called as things happen by themselves. What it throws is dropped. */
  readonly onEvent?: (event: WorkEvent) => void;
}

export type WorkEvent =
  | { readonly type: 'session-compact'; readonly session: SessionId; readonly saved: number }
  | { readonly type: 'compaction-stop'; readonly session: SessionId; readonly reason: string }
  | { readonly type: 'context-refresh'; readonly session: SessionId; readonly tokens: number }
  /** A file that could not be read: what the session knows already is used instead. */
  | { readonly type: 'source-broken'; readonly session: SessionId; readonly reason: string };

/** What everything in this room works with. */
export interface Desk {
  readonly store: Store;
  readonly place: BoardPlace;
  readonly budget: number;
  readonly now: () => number;
  readonly agents: AgentReader;
  readonly projects: ProjectReader;
  readonly sessions: SessionReader;
  readonly compactor: Compactor;
  /** As it is now. */
  board(): Promise<Board>;
  /** The log of the board; made if there is none. */
  boardToWrite(): Promise<SessionId>;
  /** To append to a session: without a lease, or with the one that this desk holds. */
  handle(id: SessionId): Promise<Session>;
  /** Makes `handle` give this one until it is put back. */
  hold(session: Session): () => void;
  emit(event: WorkEvent): void;
  /** Writes what could not be written yet; fails with `not-saved` if that still does not work. */
  close(): Promise<void>;
}
