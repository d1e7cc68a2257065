import path from 'node:path';
import type { SessionInfo } from '../../record/index.ts';
import { findRoot } from './find-root.ts';
import type { Project, ProjectFolder } from './project.ts';

/** Tells which project a folder or a session belongs to. Made for one list of projects; answers are remembered. */
export interface Owners {
  /** The project linked to this very folder; if none is any more, the last one that was. */
  readonly ofFolder: (folder: string) => Project | undefined;
  /** A session names its project by id, by a label, or by a folder in it, and one without a name is its store's. */
  readonly ofSession: (session: Pick<SessionInfo, 'state'>) => Project | undefined;
}

/** `home` is the folder whose own store this is, if it is one. */
export function createOwners(
  projects: readonly Project[],
  { home }: { home?: string | undefined } = {},
): Owners {
  const byName = new Map<string, Project>();
  for (const project of projects) for (const label of project.labels) byName.set(label, project);
  for (const project of projects) byName.set(project.id, project);
  const byFolder = new Map<string, Project>();
  for (const { path: folder, project } of linksOf(projects)) byFolder.set(folder, project);

  const known = new Map<string, Project | undefined>();
  function ofLabel(label: string): Project | undefined {
    if (known.has(label)) return known.get(label);
    const named = byName.get(label) ?? byFolder.get(label);
    const found = named ?? (path.isAbsolute(label) ? byFolder.get(rootOf(label, byFolder)) : undefined);
    known.set(label, found);
    return found;
  }

  return {
    ofFolder: (folder) => byFolder.get(folder),
    ofSession({ state }) {
      const label = state.settings.project;
      if (label !== undefined) return ofLabel(label);
      return home === undefined ? undefined : byFolder.get(home);
    },
  };
}

/** What was left comes before what is linked, and older links before newer ones: the last one counts. */
function linksOf(projects: readonly Project[]): (ProjectFolder & { project: Project })[] {
  const rank = ({ leftAt, linkedAt }: ProjectFolder) =>
    [leftAt === undefined ? 1 : 0, leftAt ?? linkedAt] as const;
  return projects
    .flatMap((project) => project.folders.map((folder) => ({ ...folder, project })))
    .sort((a, b) => {
      const [one, two] = [rank(a), rank(b)];
      return one[0] - two[0] || one[1] - two[1] || (a.project.id < b.project.id ? -1 : 1);
    });
}

/** A label is where somebody worked, which may be below the folder that is linked, and need not exist any more. */
function rootOf(label: string, folders: ReadonlyMap<string, Project>): string {
  return findRoot(label, (folder) => folders.has(folder)).root;
}
