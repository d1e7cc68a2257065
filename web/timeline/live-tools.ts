import { createContext, useContext } from 'react';

/** What tools without a result are doing, by the id of the call: one that is not here will not have one any more. */
export type LiveTools = ReadonlyMap<string, 'running' | 'waiting'>;

export const LiveToolsContext = createContext<LiveTools>(new Map());

export function useLiveTool(id: string): 'running' | 'waiting' | undefined {
  return useContext(LiveToolsContext).get(id);
}
