import { isThroughlineError } from '../../errors.ts';
import type { Document, NewEntry, SessionId } from '../../record/index.ts';
import { countText } from '../../tokens/index.ts';
import type { AgentDescription } from '../agents/agent-description.ts';
import { renderRole } from '../agents/render-role.ts';
import type { Desk } from '../desk.ts';
import type { SessionView } from '../request/session-view.ts';
import { placeOfSession, type SessionPlace } from '../sessions/session-place.ts';
import { formatContext } from './format-context.ts';
import { type Gathered, gatherContext } from './gather-context.ts';
import type { SessionContext } from './session-context.ts';

// The role and the context of a session are documents in its log: what an agent was told at any time can be looked up, and
// a new version is written only when what it was made from has changed.

export const DESCRIPTION = 'agent-description';
export const CONTEXT = 'context';

export interface WorkHead {
  readonly description: AgentDescription;
  readonly context: SessionContext;
}

/** What a session is born with. */
export async function freshHead(desk: Desk, id: SessionId, place: SessionPlace): Promise<NewEntry[]> {
  const description = await describe(desk, id, place);
  const gathered = await gatherContext(desk, place);
  return [
    entryOf(desk, DESCRIPTION, description),
    entryOf(desk, CONTEXT, compose(desk, id, place, gathered), gathered.hash),
  ];
}

/** The role and the context as they are now. What has changed since is written down, if this desk may write. */
export async function refreshHead(desk: Desk, view: SessionView): Promise<WorkHead> {
  const { info } = view;
  const place = placeOfSession(info);
  const changed: NewEntry[] = [];
  const description = await currentDescription(desk, view, place);
  if (description !== view.description) changed.push(entryOf(desk, DESCRIPTION, description));
  const gathered = await gatherContext(desk, place);
  const stays = view.context !== undefined && view.contextHash === gathered.hash;
  const context = stays ? view.context! : compose(desk, info.id, place, gathered);
  if (!stays) changed.push(entryOf(desk, CONTEXT, context, gathered.hash));
  if (changed.length > 0) await remember(desk, info.id, changed);
  if (!stays) desk.emit({ type: 'context-refresh', session: info.id, tokens: context.tokens });
  return { description, context };
}

/** A file with a mistake in it must not end a session that is under way: it goes on with what it was told before. */
async function currentDescription(
  desk: Desk,
  view: SessionView,
  place: SessionPlace,
): Promise<AgentDescription> {
  const before = view.description;
  try {
    const now = await describe(desk, view.info.id, place, before?.createdAt);
    return before && renderRole(before) === renderRole(now) ? before : now;
  } catch (error) {
    if (!before || !isThroughlineError(error, 'agent-broken')) throw error;
    desk.emit({ type: 'source-broken', session: view.info.id, reason: error.message });
    return before;
  }
}

async function describe(
  desk: Desk,
  sessionId: SessionId,
  { agent }: SessionPlace,
  createdAt: string = new Date(desk.now()).toISOString(),
): Promise<AgentDescription> {
  const { file: _, ...told } = await desk.agents.read(agent);
  return { sessionId, agentType: agent, ...told, createdAt, tokens: countText(renderRole(told)) };
}

function compose(
  desk: Desk,
  sessionId: SessionId,
  place: SessionPlace,
  { sources }: Gathered,
): SessionContext {
  const { type, feature, task } = place;
  const bare = {
    sessionId,
    type,
    featureId: feature,
    ...(task !== undefined && { taskId: task }),
    ...sources,
    updatedAt: new Date(desk.now()).toISOString(),
    tokens: 0,
  };
  return { ...bare, tokens: countText(formatContext(bare)) };
}

function entryOf(desk: Desk, id: string, content: object, hash?: string): NewEntry {
  const title = id === CONTEXT ? 'Context' : 'Agent description';
  const body: Document = { kind: 'document', id, title, content, mediaType: 'application/json' };
  return { at: desk.now(), body: hash === undefined ? body : { ...body, meta: { hash } } };
}

/** Whoever only looks, or looks while another writes, is shown the newest all the same. */
async function remember(desk: Desk, id: SessionId, entries: readonly NewEntry[]): Promise<void> {
  if (desk.store.facts.readOnly !== undefined) return;
  try {
    await (await desk.handle(id)).append(entries);
  } catch (error) {
    if (!isThroughlineError(error, 'lease-held')) throw error;
  }
}
