import { type SessionId, type SessionInfo, titleOf } from '../record/index.ts';

/** A session as `--json` and RPC show it. A contract: fields are added, never changed. */
export interface SessionDescription {
  readonly id: SessionId;
  readonly title: string;
  readonly agent: string | null;
  readonly project: string | null;
  readonly parent: SessionId | null;
  readonly relation: 'fork' | 'resume' | null;
  readonly messages: number;
  readonly queries: number;
  readonly tokens: number;
  readonly tags: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export function describeSession({
  id,
  parent,
  totals,
  state,
  createdAt,
  updatedAt,
}: SessionInfo): SessionDescription {
  return {
    id,
    title: titleOf(state),
    agent: state.settings.agent ?? null,
    project: state.settings.project ?? null,
    parent: parent?.session ?? null,
    relation: parent?.relation ?? null,
    ...totals,
    tags: state.tags,
    createdAt,
    updatedAt,
  };
}
