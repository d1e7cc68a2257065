import type { Store } from '../../store/index.ts';
import { findRoot } from './find-root.ts';
import { listProjects, readOwners } from './list-projects.ts';
import type { Project } from './project.ts';
import { unknownProject } from './unknown-project.ts';

export interface FolderPlace {
  readonly project: Project;
  /** The top of the files here, where instruction files stand. */
  readonly top: string;
}

/** The project that a folder belongs to. Writes nothing: of a folder that is new, `known` is false. */
export async function placeFolder(store: Store, folder: string): Promise<FolderPlace> {
  const projects = await listProjects(store);
  const { ofFolder } = await readOwners(store, projects);
  const isLinked = (here: string) => {
    const owner = ofFolder(here);
    return (
      owner?.folders.some(({ path: linked, leftAt }) => linked === here && leftAt === undefined) === true
    );
  };
  const { root, top } = findRoot(folder, isLinked);
  const project = isLinked(root) ? ofFolder(root)! : unknownProject(root);
  return { project, top };
}
