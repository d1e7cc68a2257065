/** The fields of `meta` in which turns keep notes. Only turns write them. */
export const TURN_NOTES = ['run', 'request', 'recalled'] as const;

/** What `meta.run` of an answer says about its request; its other notes are about the answer and its turn. */
export const REQUEST_NOTES = [
  'estimated',
  'raised',
  'prefix',
  'seq',
  'sent',
  'frame',
  'recall',
  'cacheBreak',
  'counted',
  'options',
  'keptMs',
] as const;
export type RequestNote = (typeof REQUEST_NOTES)[number];
