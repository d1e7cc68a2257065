import { type SessionId, type SessionInfo, storedPlaceOf } from '../../record/index.ts';

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
  /** Tokens that its facts may take in a context, if somebody set it. */
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
  const { name, firstCommit, budget } = state.settings;
  const named = (prefix: string) =>
    Object.entries(state.settings).flatMap(([setting, value]) =>
      setting.startsWith(prefix) ? [{ text: setting.slice(prefix.length), value }] : [],
    );
  return {
    id,
    name: typeof name === 'string' && name !== '' ? name : id,
    folders: named(FOLDER)
      .map(({ text, value }) => toFolder(text, value))
      .sort((a, b) => b.linkedAt - a.linkedAt || (a.path < b.path ? -1 : 1)),
    labels: named(LABEL)
      .map(({ text }) => text)
      .sort(),
    ...(typeof firstCommit === 'string' && { firstCommit }),
    ...(typeof budget === 'number' && { budget }),
    createdAt,
    updatedAt,
    known: true,
  };
}

/** Where the project is, as far as anybody said. */
export function folderOf({ folders }: Project): string | undefined {
  return folders.find(({ leftAt }) => leftAt === undefined)?.path;
}

/** Whether a project that is written down is the one that is meant, and not what was in its folder before. */
export function isSameProject(there: Project, { folders, labels }: Project): boolean {
  return (
    folders.every(({ path }) => there.folders.some((one) => one.path === path && one.leftAt === undefined)) &&
    labels.every((label) => there.labels.includes(label))
  );
}

function toFolder(path: string, value: unknown): ProjectFolder {
  const { linkedAt, leftAt } = (value ?? {}) as { linkedAt?: unknown; leftAt?: unknown };
  return {
    path,
    linkedAt: typeof linkedAt === 'number' ? linkedAt : 0,
    ...(typeof leftAt === 'number' && { leftAt }),
  };
}
