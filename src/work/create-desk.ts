import { type Board, boardOf, EMPTY_BOARD, findBoard, openBoard, readBoard } from '../board/index.ts';
import type { SessionId } from '../record/index.ts';
import { openSession, type Session } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { countAs, createCalibration } from '../tokens/index.ts';
import { createAgentReader } from './agents/read-agents.ts';
import { createCompactor } from './checkpoint/compactor.ts';
import { createProjectReader } from './context/read-project.ts';
import { type Desk, REQUEST_TOKENS, type WorkOptions } from './desk.ts';
import { measureView } from './request/build-request.ts';
import { createHeadReader } from './request/head-reader.ts';
import { createSessionReader } from './request/read-session.ts';

export async function createDesk(
  store: Store,
  {
    folder = process.cwd(),
    project,
    budget = REQUEST_TOKENS,
    model,
    countTokens = model === undefined ? undefined : countAs(model),
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
