import type { EntryId, Seq, SessionId } from '../record/index.ts';

/** Everything that is planned and done for a project, as its log adds up to. */
export interface Board {
  /** Oldest first; removed ones are not among them. */
  readonly features: ReadonlyMap<string, Feature>;
  /** The entry up to which the log was read. */
  readonly head: Seq;
}

export interface Feature {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly spec?: string;
  /** Relative to `folder`, or to the project's own folder. */
  readonly specFile?: string;
  /** Where its files are: a separate work tree. */
  readonly folder?: string;
  readonly branch?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly tasks: ReadonlyMap<string, Task>;
  /** Of the feature itself, oldest first. */
  readonly sessions: readonly SessionLink[];
  readonly moves: readonly Move[];
}

export interface Task {
  readonly id: string;
  readonly feature: string;
  readonly title: string;
  readonly description: string;
  readonly state: string;
  /** Tasks of the same feature that have to be done first. */
  readonly dependsOn: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
  /** In all its states, oldest first. */
  readonly sessions: readonly SessionLink[];
  readonly moves: readonly Move[];
}

export interface SessionLink {
  readonly session: SessionId;
  readonly type: string;
  readonly agent: string;
  /** The state of the task that it is for. */
  readonly state?: string;
  readonly at: number;
  /** It was ended; a new one is made when one is asked for. */
  readonly ended: boolean;
}

/** From one state to another. */
export interface Move {
  readonly entry: EntryId;
  readonly from: string;
  readonly to: string;
  readonly at: number;
  readonly by?: string;
  readonly reason?: string;
}

export const EMPTY_BOARD: Board = { features: new Map(), head: 0 };

/** The folder whose files are shown to sessions of a feature: that of the feature comes before that of the project. */
export function folderFor(
  { features }: Board,
  feature: string,
  project: string | undefined,
): string | undefined {
  return features.get(feature)?.folder ?? project;
}
