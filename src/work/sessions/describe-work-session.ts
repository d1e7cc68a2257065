import type { Loop, SessionId } from '../../record/index.ts';
import type { CheckpointFile } from '../../summary/index.ts';
import { readCheckpointOf } from '../checkpoint/fold-work.ts';
import { shownIn } from '../checkpoint/shown-checkpoints.ts';
import type { Desk } from '../desk.ts';
import {
  checkpointTokens,
  headTokens,
  measureView,
  sumMessageTokens,
  visibleMessages,
} from '../request/build-request.ts';
import { placeOfSession } from './session-place.ts';

/** A session of a board as lists show it. A contract: fields are added, never changed. */
export interface WorkSessionDescription {
  readonly session: SessionId;
  readonly feature: string;
  readonly task: string | null;
  readonly state: string | null;
  readonly type: string;
  readonly agent: string;
  readonly messages: number;
  readonly updatedAt: number;
  /** What the next request would take, part by part, and what it may take. */
  readonly tokens: {
    readonly role: number;
    /** Instructions of the session and its agent module, and the project's facts. */
    readonly head: number;
    readonly context: number;
    readonly checkpoint: number;
    readonly messages: number;
    readonly request: number;
    readonly budget: number;
  };
  readonly checkpoint: CheckpointFile;
  readonly loop: Omit<Loop, 'kind'> | null;
  /** Sessions whose checkpoints it is shown. */
  readonly shows: readonly SessionId[];
}

export async function describeWorkSession(desk: Desk, id: SessionId): Promise<WorkSessionDescription> {
  const view = await desk.sessions.read(id);
  const { info, description, context, loop } = view;
  const { feature, task, state, type, agent } = placeOfSession(info);
  const prepared = await desk.heads.read(info);
  const { kind: _, ...stands } = loop ?? { kind: 'loop' };
  return {
    session: id,
    feature,
    task: task ?? null,
    state: state ?? null,
    type,
    agent,
    messages: info.totals.messages,
    updatedAt: info.updatedAt,
    tokens: {
      role: description?.tokens ?? 0,
      head: headTokens(view, prepared),
      context: context?.tokens ?? 0,
      checkpoint: checkpointTokens(view),
      messages: sumMessageTokens(visibleMessages(view)),
      request: measureView(desk, view, prepared).tokens,
      budget: desk.budget,
    },
    checkpoint: await readCheckpointOf(desk, id),
    loop: loop ? (stands as Omit<Loop, 'kind'>) : null,
    shows: shownIn(info),
  };
}
