import { isAgentSdk } from '../../models/index.ts';
import {
  type Entry,
  isHidden,
  type Message,
  type SdkConversation,
  type Seq,
  type SessionInfo,
} from '../../record/index.ts';
import { readConversation } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';

/** The part of a session's log that its SDK conversation does not hold. */
interface Untold {
  readonly entries: readonly Entry[];
  /** False where the SDK may hold some of it: a turn that was cut, or messages behind an id that a host gave. */
  readonly certain: boolean;
}

/**
 * Everything before `upTo` that the conversation has not heard: summaries where they stand for unheard messages alone,
 * and else the messages. What the SDK itself answered is left out.
 */
export async function readUntold(
  store: Store,
  info: SessionInfo,
  { mark, since, upTo }: { mark: SdkConversation | undefined; since: Seq; upTo: Seq },
): Promise<Untold> {
  const entries = (await readSince(store, info, since)).filter(
    (entry) => entry.seq < upTo && !isHidden(info.state, entry) && !isEmpty(entry),
  );
  if (mark === undefined) return { entries: withoutSdkTurns(entries), certain: false };
  const answered = entries.findIndex(isSdkAnswer);
  const kept = entries.filter((entry, index) => index > answered || !isSdkMessage(entry));
  return { entries: kept, certain: mark.asking === undefined && !kept.some(isSdkMessage) };
}

/** The SDK's whole answer to a question, if the log has it. */
export async function readAnswer(
  store: Store,
  { id, head }: SessionInfo,
  question: Seq,
): Promise<Entry | undefined> {
  const later = await store.read(id, { after: question, upTo: head, only: 'messages' });
  return later.find(isSdkAnswer);
}

/** The frontier behind an entry. A summary that reaches back over it is replaced by the messages that do not. */
async function readSince(store: Store, info: SessionInfo, since: Seq): Promise<Entry[]> {
  const { frontier } = await readConversation(store, info);
  const found: Entry[] = [];
  for (const entry of frontier) {
    const { body } = entry;
    if (body.kind !== 'compaction' || body.covers.from > since) {
      if (entry.seq > since) found.push(entry);
    } else if (body.covers.to > since) {
      found.push(...(await store.read(info.id, { after: since, upTo: body.covers.to, only: 'messages' })));
    }
  }
  return found;
}

/**
 * For an id that came from a host or an older version, with no mark beside it. A turn counts as heard unless another
 * provider was asked for its answer here.
 */
function withoutSdkTurns(entries: readonly Entry[]): Entry[] {
  const untold: Entry[] = [];
  let turn: Entry[] = [];
  for (const entry of entries) {
    turn.push(entry);
    const { body } = entry;
    if (body.kind !== 'message' || body.role !== 'assistant') continue;
    if (wasAskedHere(body) && !isSdkAnswer(entry)) untold.push(...turn);
    turn = [];
  }
  return [...untold, ...turn];
}

/** A turn that was stopped before its answer began leaves one without parts. */
function isEmpty({ body }: Entry): boolean {
  return body.kind === 'message' && body.parts.length === 0;
}

function isSdkAnswer(entry: Entry): boolean {
  return isSdkMessage(entry) && (entry.body as Message).status !== 'interrupted';
}

function isSdkMessage({ body }: Entry): boolean {
  return body.kind === 'message' && isAgentSdk(body.model ?? '') && wasAskedHere(body);
}

/** Answers of a turn carry notes about their request; imported and added messages do not. */
function wasAskedHere({ role, meta }: Message): boolean {
  return role === 'assistant' && meta?.run !== undefined;
}
