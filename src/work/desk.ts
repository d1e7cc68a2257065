import type { AgentOptions, Knowledge } from '../agent/index.ts';
import type { Summariser } from '../compaction/index.ts';
import {
  type Board,
  type BoardPlace,
  boardOf,
  EMPTY_BOARD,
  findBoard,
  openBoard,
  type Project,
  readBoard,
} from '../project/index.ts';
import type { SessionId } from '../record/index.ts';
import { openSession, type Session } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { type Calibration, countWithTokenizer, createCalibration } from '../tokens/index.ts';
import { type AgentReader, createAgentReader } from './agents/read-agents.ts';
import { type Compactor, createCompactor } from './checkpoint/compactor.ts';
import { createProjectReader, type ProjectReader } from './context/read-project.ts';
import { measureView } from './request/build-request.ts';
import { createHeadReader, type HeadReader } from './request/head-reader.ts';
import { createSessionReader } from './request/read-session.ts';
import type { LeftOutLines } from './request/render-checkpoint.ts';
import type { SessionReader } from './request/session-view.ts';

/** Tokens that a whole request may take, unless another number is given. */
export const REQUEST_TOKENS = 100_000;

export interface WorkOptions extends Pick<AgentOptions, 'agent' | 'memory'> {
  /**
   * `true`: what compacted messages say about a question is searched for and stands in its request, in up to 2,000 tokens; a
   * number is tokens for it. Nothing unless given: a search takes longer than all the rest of a request, and a loop asks often.
   */
  readonly recall?: AgentOptions['recall'];
  /** Where one works; the board is that of the project this folder is in. Defaults to the current folder. */
  readonly folder?: string;
  /** The project, if it is known already. */
  readonly project?: Project;
  /** Tokens that a whole request may take. 100,000 unless given. */
  readonly budget?: number;
  /** The model that is asked, as `openai:gpt-5`: where its tokenizer is known, requests are counted by it. */
  readonly model?: string;
  /** Counts the tokens of a text as the model does: no request is over the budget by this count. */
  readonly countTokens?: (text: string) => number;
  /** The knowledge of the project, if it is open already; it stays open. */
  readonly knowledge?: Knowledge;
  /** Writes summaries; without one the digest does. */
  readonly summariser?: Summariser;
  readonly now?: () => number;
  /** Called for compactions and other things that no call asked for. What it throws is dropped. */
  readonly onEvent?: (event: WorkEvent) => void;
}

export type WorkEvent =
  | { readonly type: 'session-compact'; readonly session: SessionId; readonly saved: number }
  /** A person is asked first: this draft waits to be approved. */
  | { readonly type: 'draft-wait'; readonly session: SessionId; readonly draft: string }
  | { readonly type: 'compaction-stop'; readonly session: SessionId; readonly reason: string }
  /** The newest request has no room for so many lines of the checkpoint; `work.checkpoint` has them all. */
  | { readonly type: 'lines-left-out'; readonly session: SessionId; readonly leftOut: LeftOutLines }
  | { readonly type: 'context-refresh'; readonly session: SessionId; readonly tokens: number }
  /** A file that could not be read: what the session knows already is used instead. */
  | { readonly type: 'source-broken'; readonly session: SessionId; readonly reason: string };

/** What everything in this room works with. */
export interface Desk {
  readonly store: Store;
  readonly place: BoardPlace;
  readonly budget: number;
  readonly model: string | undefined;
  readonly countTokens: ((text: string) => number) | undefined;
  /** How the requests of each session are counted, beside the estimate. */
  readonly calibration: Calibration;
  /** The most that a request shows of compacted messages, if it is another number than usual. */
  readonly recallTokens: number | undefined;
  readonly now: () => number;
  readonly agents: AgentReader;
  readonly projects: ProjectReader;
  readonly sessions: SessionReader;
  readonly heads: HeadReader;
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

export async function createDesk(
  store: Store,
  {
    folder = process.cwd(),
    project,
    budget = REQUEST_TOKENS,
    model,
    countTokens = model === undefined ? undefined : countWithTokenizer(model),
    summariser,
    now = Date.now,
    onEvent,
    knowledge,
    recall = false,
    ...choices
  }: WorkOptions,
): Promise<Desk> {
  const findPlace = () => (project ? boardOf(store, project) : findBoard(store, folder));
  let place = await findPlace();
  let board: Board = EMPTY_BOARD;
  let writable: SessionId | undefined;
  const handles = new Map<SessionId, Session>();
  const held = new Map<SessionId, Session>();
  const sessions = createSessionReader(store);
  const heads = createHeadReader(store, { ...choices, recall, budget, knowledge });
  const emit: Desk['emit'] = (event) => {
    try {
      onEvent?.(event);
    } catch {
      // A listener must not be able to stop the work.
    }
  };
  const compactor = createCompactor({
    budget,
    summariser,
    now,
    emit,
    instructionsFor: async (info) => (await heads.newest(info)).summaryInstructions,
    async measure(id) {
      const view = await sessions.read(id);
      return measureView(desk, view, await heads.newest(view.info));
    },
  });

  const desk: Desk = {
    store,
    get place() {
      return place;
    },
    budget,
    model,
    countTokens,
    calibration: createCalibration(),
    recallTokens: typeof recall === 'number' ? recall : undefined,
    now,
    agents: createAgentReader(place.folder),
    projects: createProjectReader(),
    sessions,
    heads,
    compactor,
    async board() {
      // Another process may have made it since.
      if (place.id === undefined) place = await findPlace();
      board = await readBoard(store, place.id, { before: board });
      return board;
    },
    async boardToWrite() {
      if (writable === undefined) {
        const opened = await openBoard(store, place, { now });
        place = opened;
        writable = opened.id;
      }
      return writable;
    },
    async handle(id) {
      const known = held.get(id) ?? handles.get(id);
      if (known) return known;
      const session = await openSession(store, id, { mode: 'join', now });
      handles.set(id, session);
      return session;
    },
    hold(session) {
      held.set(session.id, session);
      return () => void held.delete(session.id);
    },
    emit,
    async close() {
      compactor.stop();
      // One that fails must not keep the others from being written.
      const closed = await Promise.allSettled([
        ...[...handles.values()].map((session) => session.close()),
        heads[Symbol.asyncDispose](),
      ]);
      for (const one of closed) if (one.status === 'rejected') throw one.reason;
    },
  };
  return desk;
}
