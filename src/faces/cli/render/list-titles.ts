import type { CheckpointList } from '../../../record/index.ts';

/** What the lists of a checkpoint are called for people, in the order they are shown. */
export const LIST_TITLES: readonly (readonly [title: string, list: CheckpointList])[] = [
  ['Decided', 'decisions'],
  ['To do', 'pending'],
  ['Blocked', 'blockers'],
  ['Done', 'completed'],
  ['Facts', 'facts'],
];

export function titleOfList(list: CheckpointList): string {
  return LIST_TITLES.find(([, name]) => name === list)![0];
}
