import type { Summary } from '../../../record/index.ts';

/** A transcript as people read it: what a session was about, question by question. */
export interface MarkdownDocument {
  readonly header: MarkdownHeader;
  readonly restored?: MarkdownRestored;
  readonly queries: readonly MarkdownQuery[];
  readonly summary?: Summary;
}

export interface MarkdownHeader {
  readonly sessionId?: string;
  /** Local time, in milliseconds since 1970. */
  readonly date?: number;
  readonly agent: string;
  readonly agentPath?: string;
  readonly totalQueries?: number;
  /** In a chain: the session that it goes on from, and where. */
  readonly forkedFrom?: string;
}

/** How a resumed session began. Its tokens count, but it is not a query. */
export interface MarkdownRestored {
  readonly time?: string;
  readonly from?: string;
  readonly queries?: number;
  readonly tokens?: number;
  /** The parent's own transcript. */
  readonly previousSession?: string;
  readonly answer: string;
  readonly stats?: MarkdownStats;
}

export interface MarkdownQuery {
  readonly number: number;
  /** Local time of day, `14:30:45`. */
  readonly time?: string;
  readonly question: string;
  readonly answer?: string;
  readonly stats?: MarkdownStats;
}

export interface MarkdownStats {
  readonly seconds?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}
