import type { Store } from '../../store/index.ts';

/**
 * The label of a new session in a folder: the id of the folder's project, which stays when the folder is moved, and is made now
 * for a folder that is new. A folder that looks like one that was moved has to be linked by a person first; until then its path
 * is the label.
 */
export async function labelFolder(store: Store, folder: string): Promise<string> {
  const { likelyMoved, offerLinks, openProject, placeFolder } = await import('../../project/index.ts');
  const { project } = await placeFolder(store, folder);
  if (project.known) return project.id;
  if (likelyMoved(await offerLinks(store, project))) return project.folders[0]?.path ?? folder;
  return (await openProject(store, project)).id;
}
