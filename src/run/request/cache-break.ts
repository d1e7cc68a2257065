import type { EntryBody, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { Request } from './build-request.ts';
import { holderOf } from './context-at.ts';
import { answerNotes, type CacheBreak } from './note-request.ts';

/**
 * Where the request differs from the last one that this model answered, and why. `undefined` if it goes on from that one, or
 * if the model has not answered lately.
 */
export async function findCacheBreak(
  store: Store,
  info: SessionInfo,
  { request, model }: { readonly request: Request; readonly model: string },
): Promise<CacheBreak | undefined> {
  const { context, newest, seq, frame } = request;
  const last = newest.find(({ body }) => body.kind === 'message' && body.model === model);
  const { prefix: sent, seq: then = 0, frame: noted } = last ? answerNotes(last) : {};
  if (!last || !sent) return undefined;
  if (context.prefix[0] !== sent.head) {
    const held = noted && (await holderOf(store, info, { answer: last, noted })).request;
    return { part: 'head', ...(held ? changeOf(held, frame) : { cause: 'other' }) };
  }
  if (context.prefix[sent.messages] === sent.all) return undefined;
  const since = await store.read(info.id, { after: then, upTo: seq, only: 'notes' });
  const causes = since.map(({ body }) => causeOf(body));
  const cause = CAUSES.find((known) => causes.includes(known));
  return { part: 'messages', cause: cause ?? (context.steps.length > 0 ? 'fitting' : 'other') };
}

type Frame = Request['frame'];

function changeOf(before: Frame, now: Frame): Omit<CacheBreak, 'part'> {
  if (JSON.stringify(before.tools) !== JSON.stringify(now.tools)) return { cause: 'tools' };
  const length = Math.max(before.head.length, now.head.length);
  for (let index = 0; index < length; index++) {
    const [old, piece] = [before.head[index], now.head[index]];
    if (old?.part !== piece?.part || old?.text !== piece?.text)
      return { cause: 'instructions', name: (piece ?? old)!.part };
  }
  // System messages that a conversation begins with stand in the head too.
  return { cause: 'instructions', name: 'system' };
}

const CAUSES = ['compaction', 'marks', 'refused'] as const;

function causeOf(body: EntryBody): (typeof CAUSES)[number] | undefined {
  switch (body.kind) {
    case 'compaction':
    case 'restoration':
    case 'merge':
      return 'compaction';
    case 'mark':
      return 'marks';
    case 'setting':
      return body.name === 'unsendable' ? 'refused' : undefined;
    default:
      return undefined;
  }
}
