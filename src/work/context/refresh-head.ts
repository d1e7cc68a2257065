import { isThroughlineError } from '../../errors.ts';
import { type Document, type NewEntry, type SessionId, WORK_DOCUMENTS } from '../../record/index.ts';
import { countText } from '../../tokens/index.ts';
import type { AgentDescription } from '../agents/agent-description.ts';
import { renderRole } from '../agents/render-role.ts';
import type { Desk } from '../desk.ts';
import type { SessionView } from '../request/session-view.ts';
import { placeOfSession, type SessionPlace } from '../sessions/session-place.ts';
import { formatContext } from './format-context.ts';
import { type Gathered, gatherContext } from './gather-context.ts';
import type { WorkSessionContext } from './session-context.ts';

// The role and the context of a session are documents in its log: the context of any time can be looked up, and a new version
// is written only when its sources have changed.

const { description: DESCRIPTION, context: CONTEXT } = WORK_DOCUMENTS;

interface WorkHead {
  readonly description: AgentDescription;
  readonly context: WorkSessionContext;
}

/** What a session is born with. */
export async function freshHead(desk: Desk, id: SessionId, place: SessionPlace): Promise<NewEntry[]> {
  const description = await describe(desk, id, place);
  const gathered = await gatherContext(desk, place);
  return [
    entryOf(desk, DESCRIPTION, description),
    entryOf(desk, CONTEXT, compose(desk, id, { place, gathered }), gathered.hash),
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
  const before = view.contextHash === gathered.hash ? view.context : undefined;
  const context = compose(desk, info.id, { place, gathered, before });
  if (!before) changed.push(entryOf(desk, CONTEXT, context, gathered.hash));
  if (changed.length > 0) await remember(desk, info.id, changed);
  if (!before) desk.emit({ type: 'context-refresh', session: info.id, tokens: context.tokens });
  return { description, context };
}

/** A file with a mistake in it must not end a session that is under way: it goes on with the earlier context. */
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

interface Composed {
  readonly place: SessionPlace;
  readonly gathered: Gathered;
  /** The context that the log has of the same sources. */
  readonly before?: SessionView['context'];
}

/** Always of the sources: what a log says of them may have come with a file from anywhere. */
function compose(
  desk: Desk,
  sessionId: SessionId,
  { place: { type, feature, task }, gathered: { sources }, before }: Composed,
): WorkSessionContext {
  const bare = {
    sessionId,
    type,
    featureId: feature,
    ...(task !== undefined && { taskId: task }),
    ...sources,
    updatedAt: new Date(desk.now()).toISOString(),
    tokens: 0,
  };
  if (before) return { ...bare, updatedAt: before.updatedAt, tokens: before.tokens };
  return { ...bare, tokens: countText(formatContext(bare)) };
}

function entryOf(desk: Desk, id: string, content: object, hash?: string): NewEntry {
  const title = id === CONTEXT ? 'Context' : 'Agent description';
  const body: Document = { kind: 'document', id, title, content, mediaType: 'application/json' };
  return { at: desk.now(), body: hash === undefined ? body : { ...body, meta: { hash } } };
}

/** A reader, also one beside a writer, is shown the newest all the same. */
async function remember(desk: Desk, id: SessionId, entries: readonly NewEntry[]): Promise<void> {
  if (desk.store.facts.readOnly !== undefined) return;
  try {
    await (await desk.handle(id)).append(entries);
  } catch (error) {
    if (!isThroughlineError(error, 'lease-held')) throw error;
  }
}
