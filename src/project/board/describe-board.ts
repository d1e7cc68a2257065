import type { Feature, Move, SessionLink, Task } from './board.ts';
import { dependentsOf, nextStates } from './read-board.ts';

/** A feature as `--json` and RPC show it. A contract: fields are added, never changed. */
interface FeatureDescription {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly spec: string | null;
  readonly specFile: string | null;
  readonly folder: string | null;
  readonly branch: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly tasks: readonly TaskDescription[];
  readonly sessions: readonly SessionLink[];
  readonly moves: readonly Move[];
}

/** A task as `--json` and RPC show it. A contract: fields are added, never changed. */
interface TaskDescription {
  readonly id: string;
  readonly feature: string;
  readonly title: string;
  readonly description: string;
  readonly state: string;
  readonly dependsOn: readonly string[];
  readonly dependents: readonly string[];
  /** Where it may go now without force. */
  readonly next: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly sessions: readonly SessionLink[];
  readonly moves: readonly Move[];
}

export function describeFeature(feature: Feature): FeatureDescription {
  const { id, name, state, spec, specFile, folder, branch, createdAt, updatedAt, sessions, moves } = feature;
  return {
    id,
    name,
    state,
    spec: spec ?? null,
    specFile: specFile ?? null,
    folder: folder ?? null,
    branch: branch ?? null,
    createdAt,
    updatedAt,
    tasks: [...feature.tasks.values()].map((task) => describeTask(feature, task)),
    sessions,
    moves,
  };
}

export function describeTask(feature: Feature, task: Task): TaskDescription {
  return {
    ...task,
    dependents: dependentsOf(feature, task.id).map(({ id }) => id),
    next: nextStates(feature, task),
  };
}
