import type { ResultOf } from '../../src/faces/rpc/client/index.ts';
import type { ShownMessage } from '../timeline/shown.ts';

/** A message that was written here or elsewhere and is not in the timeline yet. */
export interface Sent {
  readonly id: string;
  readonly text: string;
  /**
   * `sending` and `adding`: the server has not confirmed it. `waiting`: stored, and answered after the messages before it.
   * `added`: stored, and given to the model with the next request of the running turn.
   */
  readonly is: 'sending' | 'adding' | 'waiting' | 'added';
  readonly error: unknown;
}

/** Together with what the server keeps until its turn has come, from whichever window it was sent. Pure. */
export function withStored(
  sent: readonly Sent[],
  { waiting, steering }: Pick<ResultOf<'chat/session/get'>, 'waiting' | 'steering'>,
  messages: readonly ShownMessage[],
): Sent[] {
  const shown = new Set(messages.map(({ id }) => id));
  const stored = [
    ...steering.map((each) => ({ ...each, is: 'added' as const })),
    ...waiting.map((each) => ({ ...each, is: 'waiting' as const })),
  ]
    .filter(({ id }) => !shown.has(id))
    .map(({ id, content, is }): Sent => ({ id, text: content, is, error: undefined }));
  return [...sent.filter(({ id }) => !stored.some((each) => each.id === id)), ...stored];
}
