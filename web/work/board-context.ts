import { createContext, useContext } from 'react';
import type { Feature, Task, WorkSession } from './open-board.ts';

export interface BoardActions {
  /** How the sessions stand, by id. One that is not read yet is missing. */
  readonly sessions: ReadonlyMap<string, WorkSession>;
  /** States that some task under way is in: their columns are wide, in every feature, so that they stand below each other. */
  readonly busy: ReadonlySet<string>;
  /** The session that the column at the right is about. */
  readonly detail: string | undefined;
  showDetail(session: string | undefined): void;
  move(task: Task): void;
  addTask(feature: Feature): void;
}

export const BoardContext = createContext<BoardActions>({
  sessions: new Map(),
  busy: new Set(),
  detail: undefined,
  showDetail() {},
  move() {},
  addTask() {},
});

export function useBoardActions(): BoardActions {
  return useContext(BoardContext);
}
