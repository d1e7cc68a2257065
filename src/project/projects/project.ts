import path from 'node:path';
import {
  projectSettings,
  type SessionId,
  type SessionInfo,
  settingsOf,
  storedPlaceOf,
} from '../../record/index.ts';
import { findRoot, isFolder } from './find-root.ts';

/** A project is the log of its memory: the log's id is the project's, and everything else is an attribute that may change. */
export interface Project {
  /** Of the log; as long as there is none, something that stands for it in this process. */
  readonly id: SessionId;
  readonly name: string;
  /** Where it is and where it was, the newest link first. */
  readonly folders: readonly ProjectFolder[];
  /** What sessions of it call it besides its id and its folders. */
  readonly labels: readonly string[];
  /** The first commit of its repository, which it keeps wherever it is moved or cloned to. */
  readonly firstCommit?: string;
  /** Tokens that its facts may take in a context, if set. */
  readonly budget?: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** False for a folder that nothing has been written down about: there is no log yet. */
  readonly known: boolean;
}

export interface ProjectFolder {
  readonly path: string;
  readonly linkedAt: number;
  /** When it was found that the project is no longer there. */
  readonly leftAt?: number;
}

// One setting for each folder and label, so that two processes that link at once do not undo each other.
export const FOLDER = 'folder:';
export const LABEL = 'label:';

/** `undefined` if the session is a conversation or a board, or was thrown away. */
export function readProject({ id, createdAt, updatedAt, state }: SessionInfo): Project | undefined {
  if (storedPlaceOf(state) !== 'memory' || state.settings.reserved === 'work') return undefined;
  const { name, firstCommit, budget } = projectSettings(state.settings);
  return {
    id,
    name: name || id,
    folders: settingsOf(state.settings, FOLDER)
      .map(([path, { linkedAt, leftAt }]) => ({ path, linkedAt, ...(leftAt !== undefined && { leftAt }) }))
      .sort((a, b) => b.linkedAt - a.linkedAt || (a.path < b.path ? -1 : 1)),
    labels: settingsOf(state.settings, LABEL)
      .map(([label]) => label)
      .sort(),
    ...(firstCommit !== undefined && { firstCommit }),
    ...(budget !== undefined && { budget }),
    createdAt,
    updatedAt,
    known: true,
  };
}

/** The folder of the project, if linked. */
export function folderOf({ folders }: Project): string | undefined {
  return folders.find(({ leftAt }) => leftAt === undefined)?.path;
}

/** Whether a project that is written down is the one that is meant, and not an older one of its folder. */
export function isSameProject(there: Project, { folders, labels }: Project): boolean {
  return (
    folders.every(({ path }) => there.folders.some((one) => one.path === path && one.leftAt === undefined)) &&
    labels.every((label) => there.labels.includes(label))
  );
}

/**
 * The folder as a project that is not written down yet. Its id is none that a log could have: a log of that name may well
 * be there, of a project that was in this folder before.
 */
export function unknownProject(root: string): Project {
  const name = path.basename(root) || root;
  return {
    id: `new ${root}`,
    name,
    folders: [{ path: root, linkedAt: 0 }],
    labels: [],
    createdAt: 0,
    updatedAt: 0,
    known: false,
  };
}

/** What sessions call their project, as one that is not written down yet: a folder they worked in, or any name. */
export function unknownLabel(label: string): Project {
  if (path.isAbsolute(label)) return unknownProject(isFolder(label) ? findRoot(label).root : label);
  return { ...unknownProject(label), name: label, folders: [], labels: [label] };
}
