import { hash } from 'node:crypto';
import type { SessionId } from '../../record/index.ts';

/** An id for a session that cannot have `id`. It follows from the reason, so a repeat finds it, and neither id starts the other. */
export function deriveSessionId(id: SessionId, ...reason: readonly (string | number)[]): SessionId {
  const code = hash('sha256', JSON.stringify([id, ...reason])).slice(0, 8);
  return `${code}_${id.slice(0, 110).replace(/\.$/, '-')}`;
}
