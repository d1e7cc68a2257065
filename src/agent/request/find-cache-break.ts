import type { OpenedModel } from '../../models/index.ts';
import type { Entry, EntryBody, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { cacheLifetimeMs } from '../../tokens/index.ts';
import type { ModelRequest, RequestFrame } from './build-request.ts';
import { answerNotes, type CacheBreak, holderOf } from './note-request.ts';

/**
 * Where the request differs from the last one that this model answered, and why, or why the provider does not have that any more.
 * `undefined` if it goes on from that one, or if no model was asked lately.
 */
export async function findCacheBreak(
  store: Store,
  info: SessionInfo,
  {
    request,
    model: opened,
    now = Date.now(),
  }: {
    readonly request: ModelRequest;
    readonly model: Pick<OpenedModel, 'id' | 'provider' | 'model'>;
    readonly now?: number;
  },
): Promise<CacheBreak | undefined> {
  const { context, newest, seq, frame } = request;
  const { id: model } = opened;
  const last = newest.find(({ body }) => body.kind === 'message' && body.model === model);
  if (!last) return changeOfModel(newest);
  const { prefix: sent, seq: then = 0, frame: noted, keptMs = cacheLifetimeMs(opened) } = answerNotes(last);
  if (!sent) return undefined;
  if (context.prefix[0] !== sent.head) {
    const held = noted && (await holderOf(store, info, { answer: last, noted })).request;
    return { part: 'head', ...(held ? changeOf(held, frame) : { cause: 'other' }) };
  }
  if (context.prefix[sent.messages] === sent.all)
    return now - last.at > keptMs ? { part: 'head', cause: 'expired' } : undefined;
  const since = await store.read(info.id, { after: then, upTo: seq, only: 'notes' });
  const causes = since.map(({ body }) => causeOf(body));
  const cause = CAUSES.find((known) => causes.includes(known));
  return { part: 'messages', cause: cause ?? (context.steps.length > 0 ? 'fitting' : 'other') };
}

/** The model that was asked before; one that runs here has read nothing. */
function changeOfModel(newest: readonly Entry[]): CacheBreak | undefined {
  const other = newest.find((entry) => answerNotes(entry).prefix);
  const name = other?.body.kind === 'message' ? other.body.model : undefined;
  if (name === undefined || /^offline\b/.test(name)) return undefined;
  return { part: 'head', cause: 'model', name };
}

function changeOf(before: RequestFrame, now: RequestFrame): Omit<CacheBreak, 'part'> {
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
