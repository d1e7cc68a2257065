import type { ContextState } from '../../context/index.ts';
import type { Entry, Loop, SessionId, SessionInfo } from '../../record/index.ts';
import type { AgentDescription } from '../agents/agent-description.ts';
import type { WorkFold } from '../checkpoint/fold-work.ts';
import type { WorkSessionContext } from '../context/session-context.ts';

/** Everything of a session that a request is made from. */
export interface SessionView {
  readonly info: SessionInfo;
  /** Texts of the system messages that the session began with. No compaction covers them. */
  readonly system: readonly string[];
  /** Messages that no compaction covers, as lines of text, oldest first. */
  readonly messages: readonly Entry[];
  /** Pinned messages that a compaction covers, as lines of text. */
  readonly pinned: readonly Entry[];
  readonly marks: ContextState['marks'];
  /** Summaries that stand for older messages: compactions, merges of branches, the session before. */
  readonly records: readonly Entry[];
  readonly fold: WorkFold;
  readonly loop?: Loop;
  readonly description?: AgentDescription;
  /** Of the newest context that the log has; its text is made from the project again. */
  readonly context?: Pick<WorkSessionContext, 'updatedAt' | 'tokens'>;
  readonly contextHash?: string;
}

export interface SessionReader {
  read(id: SessionId): Promise<SessionView>;
}
