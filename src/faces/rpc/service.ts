import { type CompactionChoice, type Knowledge, openKnowledge, stopBackground } from '../../agent/index.ts';
import type { Environment } from '../../models/index.ts';
import {
  type AgentSdk,
  type AiSessions,
  APPROVAL_MS,
  type Contexts,
  createAiSessions,
  createContexts,
  createOpenSessions,
  createRuns,
  type OpenSessions,
  type Runs,
  rescueUnsaved,
} from '../../operations/index.ts';
import { createWorkDesks, type WorkDesks } from '../../operations/work/index.ts';
import type { SessionId } from '../../record/index.ts';
import { openSearchIndex, type SearchIndex } from '../../search/index.ts';
import type { Store } from '../../store/index.ts';
import { createListChanges, type ListChanges } from './list-changes.ts';

export interface ServiceOptions {
  readonly store: Store;
  readonly version?: string;
  /** The default project of new sessions: reported to clients, which decide. */
  readonly project?: string;
  /** Where models are picked and keys are found; by default `process.env`. */
  readonly env?: Environment;
  /** Let sessions use the agent module they remember, if a person agreed to it: a file on this machine that is run. */
  readonly agents?: boolean;
  /** How sessions of the agent SDK are run; by default by that package, if it is installed and `agents` are let. */
  readonly agentSdk?: AgentSdk;
  /** Errors that no call is answered with: unexpected ones, and those that ended a turn. They hold no message, key or token. */
  readonly onError?: (error: unknown, session?: SessionId) => void;
  /** Notes for the operator of the server. */
  readonly onNotice?: (line: string) => void;
  /** How often connections get a heartbeat. */
  readonly heartbeatMs?: number;
  /** The largest request. */
  readonly maxBodyBytes?: number;
  /** So long a tool that needs approval waits for it; then it is not run. Five minutes unless given. */
  readonly approvalMs?: number;
  /** So long may nothing come from a model, in turns and for summaries. Five minutes for turns, two for summaries unless given. */
  readonly modelTimeoutMs?: number;
  /** The window of the models that answer, in tokens, if it is another than the catalogue says. */
  readonly window?: number;
  /** Tokens for messages recalled from compacted turns; 0 for none, 2,000 unless given. */
  readonly recall?: number;
  /** The summariser, and when sessions without a policy are compacted, if not the default. */
  readonly compaction?: CompactionChoice;
  /** How long a call that writes waits while another process writes in the session. Ten seconds unless given. */
  readonly leaseWaitMs?: number;
  /** How long a caller is kept waiting, turns of a model aside. */
  readonly maxAnswerMs?: number;
  /** Check every answer against its schema: for tests. */
  readonly checkResults?: boolean;
}

/** How callers reach a service. */
type Transport = 'http' | 'event-stream' | 'websocket' | 'stdio';

/** What all calls share, for as long as the server runs. */
export interface Service extends AsyncDisposable {
  /** Aborts when the server stops, once its turns have. */
  readonly stopping: AbortSignal;
  readonly store: Store;
  readonly version: string;
  readonly project: string | undefined;
  readonly env: Environment;
  readonly agents: boolean;
  readonly agentSdk: AgentSdk | undefined;
  readonly onError: (error: unknown, session?: SessionId) => void;
  readonly onNotice: (line: string) => void;
  readonly heartbeatMs: number;
  readonly maxBodyBytes: number;
  readonly modelTimeoutMs: number | undefined;
  readonly window: number | undefined;
  readonly recall: number | undefined;
  readonly compaction: CompactionChoice | undefined;
  readonly maxAnswerMs: number;
  readonly approvalMs: number;
  readonly checkResults: boolean;
  readonly transports: readonly Transport[];
  readonly sessions: OpenSessions;
  readonly runs: Runs;
  readonly index: SearchIndex;
  readonly knowledge: Knowledge;
  readonly aiSessions: AiSessions;
  readonly desks: WorkDesks;
  readonly contexts: Contexts;
  /** Change feed for list watchers. */
  readonly changes: ListChanges;
  /** Ids that callers found before. */
  readonly found: Set<SessionId>;
  /** Stops turns and waits for them: each can be gone on with. Calls that only waited for a turn are answered. */
  stop(): Promise<void>;
}

const HEARTBEAT_MS = 15_000;
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Longer than the store waits for other processes before it says that it is busy. */
const MAX_ANSWER_MS = 60_000;

/** The store stays with its opener. */
export function createService(
  {
    store,
    version = '',
    project,
    env = process.env,
    agents = false,
    agentSdk,
    onError = () => {},
    onNotice = () => {},
    heartbeatMs = HEARTBEAT_MS,
    maxBodyBytes = MAX_BODY_BYTES,
    modelTimeoutMs,
    window,
    recall,
    compaction,
    maxAnswerMs = MAX_ANSWER_MS,
    approvalMs = APPROVAL_MS,
    leaseWaitMs,
    checkResults = false,
  }: ServiceOptions,
  transports: readonly Transport[] = [],
): Service {
  const sessions = createOpenSessions(store, { waitMs: leaseWaitMs, beforeClose: stopBackground });
  const runs = createRuns(sessions, { onFailure: onError, approvalMs });
  const index = openSearchIndex(store);
  const knowledge = openKnowledge(store, { index });
  const desks = createWorkDesks(store, {
    knowledge,
    recall,
    ...(!agents && { agent: false }),
    onEvent(event) {
      if (event.type === 'source-broken') onNotice(`Session ${event.session}: ${event.reason}`);
    },
  });
  const contexts = createContexts(store);
  const stopping = new AbortController();
  async function stop(): Promise<void> {
    await runs.stop();
    stopping.abort();
  }
  return {
    stopping: stopping.signal,
    stop,
    store,
    version,
    project,
    env,
    agents,
    agentSdk,
    onError,
    onNotice,
    heartbeatMs,
    maxBodyBytes,
    modelTimeoutMs,
    window,
    recall,
    compaction,
    maxAnswerMs,
    approvalMs,
    checkResults,
    transports,
    sessions,
    runs,
    index,
    knowledge,
    aiSessions: createAiSessions(),
    desks,
    contexts,
    changes: createListChanges(store, { onError }),
    found: new Set(),
    async [Symbol.asyncDispose]() {
      await stop();
      // What the disk refuses is gone with the process, unless a file takes it.
      const lost = await rescueUnsaved(await sessions.close(), store.facts);
      await desks.close();
      await index[Symbol.asyncDispose]();
      await contexts[Symbol.asyncDispose]();
      if (lost) throw lost;
    },
  };
}
