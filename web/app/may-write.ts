import { createContext, useContext } from 'react';

/** Whether the token of this page may change anything. Where it may not, nothing is offered that would. */
export const MayWriteContext = createContext(true);

export function useMayWrite(): boolean {
  return useContext(MayWriteContext);
}
