import type { CompactionResult } from '../compaction/index.ts';
import { ThroughlineError } from '../errors.ts';
import {
  type BoardPlace,
  type Feature,
  featureOn,
  type SessionLink,
  type Task,
  taskOn,
} from '../project/index.ts';
import {
  type Entry,
  type EntryId,
  type Loop,
  type Message,
  newEntryId,
  type SessionId,
} from '../record/index.ts';
import { getSession, refuseTrashed } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import type { CheckpointFile } from '../summary/index.ts';
import type { AgentDescription } from './agents/agent-description.ts';
import type { AgentReader } from './agents/read-agents.ts';
import { CheckedWorkOptions, checkCall, checkText } from './check-values.ts';
import { readCheckpointOf } from './checkpoint/fold-work.ts';
import { hideCheckpoint, showCheckpoint } from './checkpoint/shown-checkpoints.ts';
import { refreshHead } from './context/refresh-head.ts';
import type { WorkSessionContext } from './context/session-context.ts';
import { exportLayout, type LayoutExport } from './dagent/export-layout.ts';
import { importLayout, type LayoutImport } from './dagent/import-layout.ts';
import { createDesk, type Desk, type WorkOptions } from './desk.ts';
import { newReturn, roundEntry } from './loop/rounds.ts';
import {
  type CheckOutcome,
  type LoopOptions,
  type LoopResult,
  runWorkLoop,
  toLoop,
} from './loop/run-loop.ts';
import { buildWorkRequest, considerCompaction, measureRequest } from './request/build-request.ts';
import type { WorkRequest } from './request/layout-request.ts';
import { describeWorkSession, type WorkSessionDescription } from './sessions/describe-work-session.ts';
import { isLoopHeld, leaveMessage, takeLeftIfFree } from './sessions/left-messages.ts';
import {
  endSession,
  findActiveSession,
  getOrCreateWorkSession,
  makeWorkSession,
} from './sessions/make-session.ts';
import { type AgentType, placeOfSession, type SessionType } from './sessions/session-place.ts';
import {
  type FeatureFields,
  type MoveOptions,
  moveFeature,
  moveTask,
  setFeature,
  setTask,
  type TaskFields,
} from './write-board.ts';

/**
 * The work of one project: its plan, its workers, and the requests for its agents. Everything is in the store, so any number of
 * these, in any number of processes, work on the same board.
 */
export interface Work extends AsyncDisposable {
  readonly place: BoardPlace;
  readonly budget: number;
  /** Reads the descriptions that people edit. */
  readonly agents: AgentReader;

  features(): Promise<Feature[]>;
  feature(featureId: string): Promise<Feature>;
  task(featureId: string, taskId: string): Promise<Task>;
  setFeature(featureId: string, fields?: FeatureFields): Promise<Feature>;
  setTask(featureId: string, taskId: string, fields?: TaskFields): Promise<Task>;
  moveFeature(featureId: string, to: string, options?: MoveOptions): Promise<Feature>;
  moveTask(featureId: string, taskId: string, to: string, options?: MoveOptions): Promise<Task>;

  /** Always another session. `state` is the task's own unless given. */
  createSession(
    type: SessionType,
    featureId: string,
    taskId?: string,
    agentType?: AgentType,
    state?: string,
  ): Promise<SessionId>;
  /** The session to go on with, or a new one; two who ask at once are given the same. */
  getOrCreateSession(
    type: SessionType,
    featureId: string,
    taskId?: string,
    state?: string,
  ): Promise<SessionId>;
  /** The newest one of the place that has not been ended; of any type unless one is given. */
  getActiveSession(
    featureId: string,
    taskId?: string,
    state?: string,
    type?: SessionType,
  ): Promise<SessionId | undefined>;
  /** Of a feature, or of one task, in one state or all. */
  sessions(featureId: string, taskId?: string, state?: string): Promise<SessionLink[]>;
  /** What it is for, how full its next request is, and how its work stands. */
  describeSession(sessionId: SessionId): Promise<WorkSessionDescription>;
  /** The next one who asks for a session of its place gets another. */
  endSession(sessionId: SessionId): Promise<void>;

  /**
   * Written down when it resolves. Compacts if the next request would be over the budget. Give an id to make a retry safe.
   * While a loop runs in the session in another process the message waits in the log (`waiting`), and the loop takes it
   * up before its next question.
   */
  addMessage(
    sessionId: SessionId,
    role: 'user' | 'assistant',
    content: string,
    options?: { readonly id?: EntryId },
  ): Promise<Entry & { readonly waiting?: true }>;
  compact(sessionId: SessionId): Promise<CompactionResult>;
  estimateRequestSize(sessionId: SessionId): Promise<number>;
  buildRequest(sessionId: SessionId, userMessage: string): Promise<WorkRequest>;

  checkpoint(sessionId: SessionId): Promise<CheckpointFile>;
  context(sessionId: SessionId): Promise<WorkSessionContext>;
  description(sessionId: SessionId): Promise<AgentDescription>;
  /** Requests of a session show how another one stands, read-only, until it is hidden. */
  showCheckpoint(sessionId: SessionId, of: SessionId): Promise<void>;
  hideCheckpoint(sessionId: SessionId, of: SessionId): Promise<void>;

  recordLoop(sessionId: SessionId, iteration: number, outcome: CheckOutcome): Promise<Loop>;
  runLoop(sessionId: SessionId, options: LoopOptions): Promise<LoopResult>;

  /** From and to the files that other programs keep; `folder` is the project's own unless given. */
  importLayout(folder?: string): Promise<LayoutImport>;
  exportLayout(folder?: string): Promise<LayoutExport>;
}

/** The work of the project that a folder is in. Nothing is written before something is to be written down. */
export async function openWork(store: Store, options: WorkOptions = {}): Promise<Work> {
  checkCall(CheckedWorkOptions, options, 'openWork');
  const desk = await createDesk(store, options);
  const headOf = async (id: SessionId) => refreshHead(desk, await desk.sessions.read(id));
  return {
    get place() {
      return desk.place;
    },
    budget: desk.budget,
    agents: desk.agents,

    features: async () => [...(await desk.board()).features.values()],
    feature: async (featureId) => featureOn(await desk.board(), featureId),
    task: async (featureId, taskId) => taskOn(await desk.board(), featureId, taskId),
    setFeature: (featureId, fields) => setFeature(desk, featureId, fields),
    setTask: (featureId, taskId, fields) => setTask(desk, featureId, taskId, fields),
    moveFeature: (featureId, to, given) => moveFeature(desk, featureId, to, given),
    moveTask: (featureId, taskId, to, given) => moveTask(desk, featureId, taskId, to, given),

    createSession: (type, feature, task, agent, state) =>
      makeWorkSession(desk, { type, feature, task, agent, state }),
    getOrCreateSession: (type, feature, task, state) =>
      getOrCreateWorkSession(desk, { type, feature, task, state }),
    getActiveSession: (feature, task, state, type) => findActiveSession(desk, { feature, task, state, type }),
    async sessions(featureId, taskId, state) {
      const board = await desk.board();
      const feature = featureOn(board, featureId);
      const all =
        taskId === undefined
          ? [...feature.sessions, ...[...feature.tasks.values()].flatMap(({ sessions }) => sessions)]
          : [...taskOn(board, featureId, taskId).sessions];
      return state === undefined ? all : all.filter((link) => link.state === state);
    },
    describeSession: (id) => describeWorkSession(desk, id),
    endSession: async (id) => endSession(desk, id, placeOfSession(await getSession(store, id))),

    async addMessage(id, role, content, { id: entryId } = {}) {
      if (role !== 'user' && role !== 'assistant')
        throw new ThroughlineError(
          'usage',
          `A message is of "user" or "assistant", not of "${String(role)}".`,
        );
      const text = checkText(content, 'The content of a message', { blank: true });
      const body: Message = { kind: 'message', role, parts: [{ type: 'text', text }] };
      await takeLeftIfFree(desk, id);
      const session = await desk.handle(id);
      if (!(entryId && (await store.entry(id, entryId)))) refuseTrashed(await session.refresh());
      try {
        const [entry] = await session.append([{ ...(entryId !== undefined && { id: entryId }), body }]);
        await considerCompaction(desk, id);
        return entry!;
      } catch (error) {
        if (!isLoopHeld(error)) throw error;
        return leaveMessage(desk, id, { id: entryId ?? newEntryId(desk.now()), body });
      }
    },
    compact: async (id) => desk.compactor.compact(await desk.handle(id)),
    estimateRequestSize: async (id) => (await measureRequest(desk, await desk.sessions.read(id))).tokens,
    async buildRequest(id, userMessage) {
      const text = checkText(userMessage, 'The user message of a request', { blank: true });
      await takeLeftIfFree(desk, id);
      return buildWorkRequest(desk, id, text);
    },

    checkpoint: (id) => readCheckpointOf(desk, id),
    context: async (id) => (await headOf(id)).context,
    description: async (id) => (await headOf(id)).description,
    showCheckpoint: (id, of) => showCheckpoint(desk, id, of),
    hideCheckpoint: (id, of) => hideCheckpoint(desk, id, of),

    async recordLoop(id, iteration, outcome) {
      const loop = toLoop(iteration, outcome);
      const { info, loop: before } = await desk.sessions.read(id);
      const back = await newReturn(desk, info);
      const round = back ? [roundEntry(back, { after: before?.iteration ?? 0 })] : [];
      await (await desk.handle(id)).append([loop, ...round]);
      return loop;
    },
    runLoop: (id, given) => runWorkLoop(desk, id, given),

    importLayout: (folder) => importLayout(desk, folder ?? folderIn(desk)),
    exportLayout: (folder) => exportLayout(desk, folder ?? folderIn(desk)),

    [Symbol.asyncDispose]: () => desk.close(),
  };
}

function folderIn({ place: { folder, project } }: Desk): string {
  if (folder !== undefined) return folder;
  throw new ThroughlineError('usage', `The project "${project.name}" has no folder. Name one.`);
}
