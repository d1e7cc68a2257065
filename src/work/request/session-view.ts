import type { Loop, SessionId, SessionInfo } from '../../record/index.ts';
import type { AgentDescription } from '../agents/agent-description.ts';
import type { WorkFold } from '../checkpoint/fold-work.ts';
import type { SessionContext } from '../context/session-context.ts';

/** A message as a request shows it. */
export interface RecentMessage {
  readonly seq: number;
  readonly role: 'user' | 'assistant';
  /** What was said, without who said it. */
  readonly text: string;
  /** With who said it. */
  readonly line: string;
  readonly tokens: number;
}

/** Everything of a session that a request is made from. */
export interface SessionView {
  readonly info: SessionInfo;
  /** Those that no compaction covers, oldest first. */
  readonly messages: readonly RecentMessage[];
  readonly fold: WorkFold;
  readonly loop?: Loop;
  readonly description?: AgentDescription;
  readonly context?: SessionContext;
  readonly contextHash?: string;
}

export interface SessionReader {
  read(id: SessionId): Promise<SessionView>;
}
