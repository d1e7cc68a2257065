import { useEffect, useMemo } from 'react';
import { useWatched, Watched } from '../connection/watched.ts';
import { type BoardState, OpenBoard } from './open-board.ts';

const NOTHING = new Watched<BoardState>({
  features: undefined,
  sessions: new Map(),
  error: undefined,
  broken: new Map(),
});

/** The board of a project, kept up to date while it is shown. */
export function useBoard(project: string | undefined): { board: OpenBoard | undefined; state: BoardState } {
  const board = useMemo(() => (project === undefined ? undefined : new OpenBoard(project)), [project]);
  const state = useWatched(board?.state ?? NOTHING);
  useEffect(() => {
    board?.open();
    return () => board?.close();
  }, [board]);
  return { board, state };
}
