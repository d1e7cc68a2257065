import type { Load } from '../../compaction/index.ts';
import { type Entry, isHidden, type SessionId, summaryIn } from '../../record/index.ts';
import { countText } from '../../tokens/index.ts';
import { renderRole } from '../agents/render-role.ts';
import { readShown, shownIn } from '../checkpoint/shown-checkpoints.ts';
import { refreshHead } from '../context/refresh-head.ts';
import type { Desk } from '../desk.ts';
import { layRequest, renderLoop, type WorkRequest } from './lay-request.ts';
import { renderCheckpoint, type ShownCheckpoint } from './render-checkpoint.ts';
import { limitsOf } from './request-shares.ts';
import type { SessionView } from './session-view.ts';

/** Room for a question that is not known yet. */
const QUESTION_TOKENS = 1000;

/**
 * The whole request for the next question of a session: role, context, checkpoint and recent conversation, and the
 * question itself. Compacts first if it would be over the budget; is under it in any case.
 */
export async function buildWorkRequest(desk: Desk, id: SessionId, userMessage: string): Promise<WorkRequest> {
  const { description, context } = await refreshHead(desk, await desk.sessions.read(id));
  await considerCompaction(desk, id);
  const view = await desk.sessions.read(id);
  const shown = await Promise.all(
    shownIn(view.info).map(async (session) => ({ session, checkpoint: await readShown(desk, session) })),
  );
  return layRequest(
    {
      role: renderRole(description),
      context,
      shown: shown.flatMap(({ session, checkpoint }) => (checkpoint ? [{ session, checkpoint }] : [])),
      checkpoint: checkpointIn(view),
      messages: view.messages,
      pinned: view.pinned,
      marks: view.marks,
      loop: view.loop,
      userMessage,
    },
    desk.budget,
  );
}

/** How full the next request is, before anything is left out: compaction goes by this. */
export function measureView({ budget }: Pick<Desk, 'budget'>, view: SessionView): Load {
  const { description, context, loop, info } = view;
  const role = description?.tokens ?? 0;
  const asked = Math.min(QUESTION_TOKENS, Math.floor(budget / 10));
  const limits = limitsOf(budget - role - asked);
  // A part counts up to its limit: compacting messages makes none of them smaller.
  const used =
    Math.min(context?.tokens ?? 0, limits.context) +
    (shownIn(info).length > 0 ? limits.shown : 0) +
    (loop ? countText(renderLoop(loop, limits.loop)) : 0);
  const checkpoint = Math.min(checkpointTokens(view), limits.checkpoint(used));
  const said = visibleMessages(view);
  const fixed = role + asked + used + checkpoint + sumTokens(view.pinned);
  return {
    tokens: fixed + sumTokens(said),
    room: budget,
    messages: said.length,
    lines: said.length,
    fixed,
  };
}

export async function considerCompaction(desk: Desk, id: SessionId): Promise<void> {
  if (desk.store.facts.readOnly !== undefined) return;
  await desk.compactor.consider(await desk.handle(id));
}

/** Messages that no mark hides. */
export function visibleMessages({ messages, marks }: SessionView): readonly Entry[] {
  return messages.filter((entry) => !isHidden(marks, entry));
}

export function sumTokens(entries: readonly Entry[]): number {
  return entries.reduce((sum, { tokens }) => sum + tokens, 0);
}

const counted = new WeakMap<SessionView['fold'], number>();

/** Of the checkpoint as a request shows it. */
export function checkpointTokens(view: SessionView): number {
  let tokens = counted.get(view.fold);
  if (tokens === undefined) {
    tokens = countText(renderCheckpoint(checkpointIn(view)));
    counted.set(view.fold, tokens);
  }
  return tokens;
}

function checkpointIn({ fold, records, marks }: SessionView): ShownCheckpoint {
  const overview = records.flatMap((record) =>
    isHidden(marks, record) ? [] : paragraphsOf(summaryIn(record.body)?.overview ?? ''),
  );
  return { ...fold.checkpoint, overview };
}

function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
}
