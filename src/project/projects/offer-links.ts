import path from 'node:path';
import type { Store } from '../../store/index.ts';
import { isFolder } from './find-root.ts';
import { listProjects, storeHome } from './list-projects.ts';
import { firstCommit } from './open-project.ts';
import { folderOf, type Project } from './project.ts';

/**
 * Why a project may be meant: its repository has the same first commit, the store in the folder is the one that the
 * project is written down in, or its folder had the same name.
 */
type OfferReason = 'same-repository' | 'own-store' | 'same-name';

export interface LinkOffer {
  readonly project: Project;
  readonly because: OfferReason;
  /** The folder it is linked to is gone, so this may be where it went. If not, this is another copy of it. */
  readonly moved: boolean;
}

/** Projects that a folder which is new may be; the likeliest first. Only offered: nothing is linked automatically. */
export async function offerLinks(store: Store, { known, folders }: Project): Promise<LinkOffer[]> {
  const [here] = folders;
  if (known || !here) return [];
  const projects = await listProjects(store);
  const repositories = projects.some((project) => project.firstCommit !== undefined);
  const commit = repositories ? await firstCommit(here.path) : undefined;
  const own = storeHome(store) === here.path;
  return projects
    .flatMap((project): LinkOffer[] => {
      const linked = folderOf(project);
      const moved = linked === undefined || !isFolder(linked);
      const because =
        commit !== undefined && project.firstCommit === commit
          ? 'same-repository'
          : moved && own && project.folders.length > 0
            ? 'own-store'
            : moved &&
                project.folders.some(({ path: old }) => path.basename(old) === path.basename(here.path))
              ? 'same-name'
              : undefined;
      return because ? [{ project, because, moved }] : [];
    })
    .sort((a, b) => Number(b.moved) - Number(a.moved) || ORDER.indexOf(a.because) - ORDER.indexOf(b.because));
}

/** The reasons in words, the strongest first. */
export const OFFER_REASONS: Readonly<Record<OfferReason, string>> = {
  'same-repository': 'it is the same repository',
  'own-store': 'it is written down in the store here',
  'same-name': 'its folder had the same name',
};

const ORDER = Object.keys(OFFER_REASONS);

/** An offer that is more than a coincidence: a new project here would part facts that belong together. */
export function likelyMoved(offers: readonly LinkOffer[]): LinkOffer | undefined {
  return offers.find(({ moved, because }) => moved && because !== 'same-name');
}
