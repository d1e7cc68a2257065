import type { SessionId } from '../../record/index.ts';
import type { Checkpoint } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';
import { renderRole } from '../agents/render-role.ts';
import { readShown, shownIn } from '../checkpoint/shown-checkpoints.ts';
import { refreshHead } from '../context/refresh-head.ts';
import type { Desk } from '../desk.ts';
import { layRequest, SHARES, type WorkRequest } from './lay-request.ts';
import { renderCheckpoint } from './render-checkpoint.ts';
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
  const { info, fold, messages, loop } = await desk.sessions.read(id);
  const shown = await Promise.all(
    shownIn(info).map(async (session) => ({ session, checkpoint: await readShown(desk, session) })),
  );
  return layRequest(
    {
      role: renderRole(description),
      context,
      shown: shown.flatMap(({ session, checkpoint: theirs }) =>
        theirs ? [{ session, checkpoint: theirs }] : [],
      ),
      checkpoint: fold.checkpoint,
      messages,
      loop,
      userMessage,
    },
    desk.budget,
  );
}

/** Tokens of the next request as things are, before anything is left out: what compaction goes by. */
export async function estimateWorkRequest(desk: Desk, id: SessionId): Promise<number> {
  return measureView(desk, await desk.sessions.read(id));
}

/** Parts that have a limit count up to it: compacting messages makes none of them smaller. */
export function measureView({ budget }: Pick<Desk, 'budget'>, view: SessionView): number {
  const { description, context, fold, messages, info } = view;
  return (
    (description?.tokens ?? 0) +
    Math.min(context?.tokens ?? 0, Math.floor(budget * SHARES.context)) +
    Math.min(checkpointTokens(fold.checkpoint), Math.floor(budget * SHARES.checkpoint)) +
    (shownIn(info).length > 0 ? Math.floor(budget * SHARES.shown) : 0) +
    messages.reduce((sum, { tokens }) => sum + tokens + 1, 0) +
    Math.min(QUESTION_TOKENS, Math.floor(budget / 10))
  );
}

export async function considerCompaction(desk: Desk, id: SessionId): Promise<void> {
  if (desk.store.facts.readOnly !== undefined) return;
  await desk.compactor.consider(await desk.handle(id));
}

const counted = new WeakMap<Checkpoint, number>();

/** Of the checkpoint as a request shows it. */
export function checkpointTokens(checkpoint: Checkpoint): number {
  let tokens = counted.get(checkpoint);
  if (tokens === undefined) {
    tokens = countText(renderCheckpoint(checkpoint));
    counted.set(checkpoint, tokens);
  }
  return tokens;
}
