import type { Environment } from '../models/index.ts';
import type { SessionId } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { type AiSessions, createAiSessions } from './ai-sessions.ts';
import type { AgentSdk } from './models/agent-sdk.ts';
import { createOpenSessions, type OpenSessions } from './runs/open-sessions.ts';
import { createRuns, type Runs } from './runs/runs.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';
import { createWorkDesks, type WorkDesks } from './work-desks.ts';

export interface ServiceOptions {
  readonly store: Store;
  readonly version?: string;
  /** Where models are picked and keys are found; by default `process.env`. */
  readonly env?: Environment;
  /** Let sessions use the agent module they remember, if a person agreed to it: a file on this machine that is run. */
  readonly agents?: boolean;
  /** How sessions of the agent SDK are run; by default by that package, if it is installed and `agents` are let. */
  readonly agentSdk?: AgentSdk;
  /** What went wrong and is nobody's answer. Holds no message, no key and no token. */
  readonly onError?: (error: unknown) => void;
  /** What whoever runs the server should know. */
  readonly onNotice?: (line: string) => void;
  /** How often connections are told that the server lives. */
  readonly heartbeatMs?: number;
  /** The largest request. */
  readonly maxBodyBytes?: number;
  /** Check every answer against its schema: for tests. */
  readonly checkResults?: boolean;
}

/** What all calls share, for as long as the server runs. */
export interface Service extends AsyncDisposable {
  readonly store: Store;
  readonly version: string;
  readonly env: Environment;
  readonly agents: boolean;
  readonly agentSdk: AgentSdk | undefined;
  readonly onError: (error: unknown) => void;
  readonly onNotice: (line: string) => void;
  readonly heartbeatMs: number;
  readonly maxBodyBytes: number;
  readonly checkResults: boolean;
  readonly sessions: OpenSessions;
  readonly runs: Runs;
  readonly index: SearchIndex;
  readonly aiSessions: AiSessions;
  readonly desks: WorkDesks;
  /** Ids that are known to be those of conversations: nothing else ever gets one of them. */
  readonly conversations: Set<SessionId>;
}

export const HEARTBEAT_MS = 15_000;
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** The store stays with whoever opened it. */
export function createService({
  store,
  version = '',
  env = process.env,
  agents = false,
  agentSdk,
  onError = () => {},
  onNotice = () => {},
  heartbeatMs = HEARTBEAT_MS,
  maxBodyBytes = MAX_BODY_BYTES,
  checkResults = false,
}: ServiceOptions): Service {
  const sessions = createOpenSessions(store);
  const runs = createRuns(sessions, { onFailure: onError });
  const index = createSearchIndex(store);
  const desks = createWorkDesks(store);
  return {
    store,
    version,
    env,
    agents,
    agentSdk,
    onError,
    onNotice,
    heartbeatMs,
    maxBodyBytes,
    checkResults,
    sessions,
    runs,
    index,
    aiSessions: createAiSessions(),
    desks,
    conversations: new Set(),
    async [Symbol.asyncDispose]() {
      await runs.stop();
      await sessions.close();
      await desks.close();
      await index[Symbol.asyncDispose]();
    },
  };
}
