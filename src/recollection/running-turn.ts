import type { Entry, Seq, SessionInfo } from '../record/index.ts';
import { readFrontier } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { readPart } from '../text/index.ts';

/**
 * Where the turn begins in which a model calls this tool now: newer messages are in front of it. `undefined` outside a turn.
 */
export async function runningTurn(store: Store, info: SessionInfo, tool: string): Promise<Seq | undefined> {
  const messages = (await readFrontier(store, info)).filter(({ body }) => body.kind === 'message');
  const newest = messages.at(-1);
  if (!newest || !calls(newest, tool)) return undefined;
  return messages.findLast(({ body }) => body.kind === 'message' && body.role === 'user')?.seq ?? newest.seq;
}

function calls({ body }: Entry, tool: string): boolean {
  if (body.kind !== 'message' || body.role !== 'assistant') return false;
  return body.parts.map(readPart).some((piece) => piece.kind === 'call' && piece.name === tool);
}
