import type { CompactionChoice, Knowledge } from '../agent/index.ts';
import type { AgentSdk } from './agent-sdk/agent-sdk.ts';
import type { App } from './app.ts';
import type { Contexts } from './contexts/contexts.ts';
import type { AiSessions } from './runs/ai-sessions.ts';
import type { Runs } from './runs/runs.ts';

/** An app whose process runs turns. */
export interface TurnApp extends App {
  readonly runs: Runs;
  readonly aiSessions: AiSessions;
  readonly contexts: Contexts;
  readonly knowledge: Knowledge;
  /** Sessions may run the agent module that they remember, if a person agreed to it. */
  readonly agents: boolean;
  readonly agentSdk: AgentSdk | undefined;
  readonly modelTimeoutMs: number | undefined;
  /** The window of the models, if it is another than the catalogue says. */
  readonly window: number | undefined;
  /** Tokens for recalled messages, if not the default; 0 for none. */
  readonly recall: number | undefined;
  /** Who writes summaries, for how many tokens, and when in sessions without a policy, if it is not as usual. */
  readonly compaction: CompactionChoice | undefined;
  /** Lines for the person who runs the process. */
  readonly onNotice: (line: string) => void;
}

/** The parts of it that are the same for every caller. */
export type TurnParts = Omit<TurnApp, keyof App> & Pick<App, 'store' | 'env' | 'sessions'>;
