import { createContext, useContext } from 'react';
import type { ShownCompaction, ShownMessage } from './shown.ts';

/** What can be done with what the timeline shows. */
export interface TimelineActions {
  /** Opens a card to read what it stands for, or closes it. The context stays as it is. */
  toggleOriginals(compaction: ShownCompaction): void;
  loadOriginals(compaction: ShownCompaction, side: 'earlier' | 'more'): void;
  /** Puts what a card stands for back into the context, or takes it out again. */
  setExpanded(compaction: ShownCompaction, expanded: boolean): void;
  /** Loads values that were too large for a page. */
  loadWhole(message: string): Promise<void>;
  forkAt(message: ShownMessage): void;
  setPinned(message: ShownMessage, pinned: boolean): void;
}

export const TimelineActionsContext = createContext<TimelineActions | undefined>(undefined);

export function useTimelineActions(): TimelineActions {
  const actions = useContext(TimelineActionsContext);
  if (!actions) throw new Error('bug: a row outside of a timeline');
  return actions;
}
