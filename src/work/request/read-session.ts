import type { Document, Entry, Loop, Message, SessionId, SessionInfo, Target } from '../../record/index.ts';
import { getSession, readConversation } from '../../session/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import { countText } from '../../tokens/index.ts';
import type { AgentDescription } from '../agents/agent-description.ts';
import { foldOn, foldWork } from '../checkpoint/fold-work.ts';
import { CONTEXT, DESCRIPTION } from '../context/refresh-head.ts';
import type { SessionContext } from '../context/session-context.ts';
import { messageText } from './message-text.ts';
import type { RecentMessage, SessionReader, SessionView } from './session-view.ts';

/**
 * Reads sessions, and keeps what it has read: the log only grows, so mostly it is enough to read on. What was said is
 * read anew when a compaction, a mark or a restored checkpoint changes how older entries are seen.
 */
export function createSessionReader(store: Store): SessionReader {
  const kept = new Map<SessionId, SessionView>();
  return {
    async read(id) {
      const info = await getSession(store, id);
      const known = kept.get(id);
      if (known?.info.head === info.head) return known;
      const view = (known && (await readOn(store, known, info))) ?? (await readWhole(store, info));
      kept.delete(id);
      kept.set(id, view);
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
      return view;
    },
  };
}

const MOST_KEPT = 64;
const MOST_READ_ON = 200;

/** `undefined` if something came that older entries are seen by in a way that takes reading them again. */
async function readOn(store: Store, known: SessionView, info: SessionInfo): Promise<SessionView | undefined> {
  if (info.head < known.info.head || info.head - known.info.head > MOST_READ_ON) return undefined;
  const entries = await store.read(info.id, { after: known.info.head, upTo: info.head });
  let messages = known.messages;
  let view: SessionView = { ...known, info };
  for (const entry of entries) {
    const { body } = entry;
    if (body.kind === 'message' && !isSetAside(body)) messages = [...messages, ...recent(entry)];
    else if (body.kind === 'loop') view = { ...view, loop: body };
    else if (body.kind === 'document' && (body.id === CONTEXT || body.id === DESCRIPTION))
      view = { ...view, ...documentFields(await whole(store, entry)) };
    else if (body.kind === 'compaction' && !isMarked(info)) {
      const fold = foldOn(view.fold, entry, info);
      if (!fold) return undefined;
      const { from, to } = body.covers;
      messages = messages.filter(({ seq }) => seq < from || seq > to);
      view = { ...view, fold };
    } else if (body.kind !== 'setting' && body.kind !== 'run') return undefined;
  }
  return { ...view, messages };
}

/** Whether a part stands beside the log. How much of such a message is put back in place is for `readConversation`. */
function isSetAside({ parts }: Message): boolean {
  return JSON.stringify(parts).includes('"$blob"');
}

/** Whether somebody has pinned, excluded, expanded or removed anything: then a compaction does not hide all it covers. */
function isMarked({ state: { pinned, excluded, expanded, removed } }: SessionInfo): boolean {
  return [pinned, excluded, expanded, removed].some((targets) => targets.length > 0);
}

async function readWhole(store: Store, info: SessionInfo): Promise<SessionView> {
  const { frontier, pinned, marks } = await readConversation(store, info);
  const isHidden = ({ id, seq }: Entry) =>
    matches(marks.excluded, id, seq) || matches(marks.removed, id, seq);
  const said = [...pinned, ...frontier].filter((entry) => entry.body.kind === 'message' && !isHidden(entry));
  const at = async (seq: number | undefined) =>
    seq === undefined ? undefined : (await store.read(info.id, { after: seq - 1, upTo: seq }))[0];
  const { loop, documents } = info.state;
  const [loopEntry, ...heads] = await Promise.all([
    at(loop),
    at(documents[DESCRIPTION]),
    at(documents[CONTEXT]),
  ]);
  const told = await Promise.all(
    heads.map(async (entry) => (entry ? documentFields(await whole(store, entry)) : {})),
  );
  return {
    info,
    messages: said.flatMap(recent),
    fold: await foldWork(store, info),
    ...(loopEntry?.body.kind === 'loop' && { loop: loopEntry.body as Loop }),
    ...Object.assign({}, ...told),
  };
}

function recent({ seq, body }: Entry): RecentMessage[] {
  const { role } = body as Message;
  const text = messageText(body as Message).trimEnd();
  if (role === 'system' || text === '') return [];
  const line = `**${role === 'user' ? 'User' : role === 'tool' ? 'Tool' : 'Assistant'}**: ${text}`;
  return [{ seq, role: role === 'user' ? 'user' : 'assistant', text, line, tokens: countText(line) + 1 }];
}

function documentFields({ body }: Entry): Partial<SessionView> {
  const { id, content, meta } = body as Document;
  if (content === null || typeof content !== 'object') return {};
  // What another program wrote may be anything; then the session is described and its context gathered anew.
  if (id === DESCRIPTION) return isDescription(content) ? { description: content } : {};
  const hash = meta?.hash;
  return typeof hash === 'string' ? { context: content as SessionContext, contextHash: hash } : {};
}

function isDescription(content: object): content is AgentDescription {
  const { role, instructions, allowedTools, tokens } = content as Partial<AgentDescription>;
  const lists = Array.isArray(instructions) && Array.isArray(allowedTools);
  return typeof role === 'string' && typeof tokens === 'number' && lists;
}

async function whole(store: Store, entry: Entry): Promise<Entry> {
  return { ...entry, body: await wholeBody(entry.body, (hash) => store.blob(hash)) };
}

function matches(targets: readonly Target[], id: string, seq: number): boolean {
  return targets.some((target) =>
    'entry' in target ? target.entry === id : target.from <= seq && seq <= target.to,
  );
}
