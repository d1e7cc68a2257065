import type { SessionType } from '../sessions/session-place.ts';

/** What a session has to know about its project, its feature and its task. */
export interface WorkSessionContext {
  readonly sessionId: string;
  readonly type: SessionType;
  readonly featureId: string;
  readonly taskId?: string;
  readonly project: ProjectContext;
  readonly feature?: FeatureContext;
  readonly task?: TaskContext;
  readonly updatedAt: string;
  /** Of what a request shows of it when there is room for everything. */
  readonly tokens: number;
}

export interface ProjectContext {
  readonly structure: ProjectStructure;
  readonly claudeMd?: string;
  readonly projectMd?: string;
  /** Further instruction files that hold here, the outermost first. */
  readonly instructions?: readonly { readonly name: string; readonly text: string }[];
  readonly recentCommits: readonly GitCommit[];
}

export interface ProjectStructure {
  /** The name of the folder. */
  readonly root: string;
  readonly files: number;
  readonly folders: readonly {
    readonly path: string;
    readonly files: readonly string[];
    readonly more?: number;
  }[];
  /** Folders that are not listed: there are too many. */
  readonly more?: number;
}

export interface GitCommit {
  readonly hash: string;
  readonly subject: string;
  readonly author: string;
  readonly date: string;
}

export interface FeatureContext {
  readonly name: string;
  readonly spec?: string;
  readonly tasks: readonly TaskSummary[];
}

interface TaskSummary {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly dependsOn: readonly string[];
}

export interface TaskContext {
  readonly title: string;
  readonly description: string;
  /** What it waits for. */
  readonly dependencies: readonly TaskDependencyInfo[];
  /** What waits for it. */
  readonly dependents: readonly TaskDependencyInfo[];
}

export interface TaskDependencyInfo {
  readonly id: string;
  readonly title: string;
  readonly state: string;
}
