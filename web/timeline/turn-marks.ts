import { createContext, useContext } from 'react';

/** What the timeline says of turns that have no whole answer. */
export interface TurnMarks {
  /** The answer of the newest turn, if the end of the timeline says why it is incomplete: then its row does not. */
  readonly saidBelow: string | undefined;
  /** Why older questions have no whole answer, by their ids. */
  readonly reasons: ReadonlyMap<string, string>;
}

export const TurnMarksContext = createContext<TurnMarks>({ saidBelow: undefined, reasons: new Map() });

export function useTurnMarks(): TurnMarks {
  return useContext(TurnMarksContext);
}
