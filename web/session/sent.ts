import type { ResultOf } from '../../src/rpc/client/index.ts';
import type { ShownMessage } from '../timeline/shown.ts';

/** What was sent, and is not among the messages yet. */
export interface Sent {
  readonly id: string;
  readonly text: string;
  /** It is stored, and answered when what is before it is. */
  readonly waiting: boolean;
  readonly error: unknown;
}

/** Together with what the server keeps until its turn has come, whoever sent it and from where. Pure. */
export function withWaiting(
  sent: readonly Sent[],
  waiting: ResultOf<'chat/session/get'>['waiting'],
  messages: readonly ShownMessage[],
): Sent[] {
  const known = new Set(messages.map(({ id }) => id));
  const kept = waiting
    .filter(({ id }) => !known.has(id))
    .map(({ id, content }) => ({ id, text: content, waiting: true, error: undefined }));
  return [...sent.filter(({ id }) => !kept.some((each) => each.id === id)), ...kept];
}
