import { ThroughlineError } from '../../errors.ts';
import type { Store } from '../../store/index.ts';
import { findProject } from './find-project.ts';
import { placeFolder } from './list-projects.ts';
import { type LinkOffer, likelyMoved, OFFER_REASONS, offerLinks } from './offer-links.ts';
import { folderOf, type Project } from './project.ts';

/** A project, and where its files are. */
export interface ProjectPlace {
  readonly project: Project;
  /** The top of its files, where instruction files stand. */
  readonly top: string | undefined;
  /** Projects that a folder which is new may be. */
  readonly offers: readonly LinkOffer[];
}

interface FindPlaceOptions {
  /** The project by its id, its name or a folder; that of `folder` unless given. */
  readonly project?: string | undefined;
  readonly folder: string;
  /** Refuses a folder that looks like one that was moved: it has to be linked before anything is written. */
  readonly write?: boolean;
}

/** The place that a command or a tool works in. Makes nothing. */
export async function findPlace(
  store: Store,
  { project: reference, folder, write = false }: FindPlaceOptions,
): Promise<ProjectPlace> {
  const { project, top } =
    reference === undefined ? await placeFolder(store, folder) : withTop(await findProject(store, reference));
  const offers = await offerLinks(store, project);
  const moved = likelyMoved(offers);
  if (write && moved) throw movedHere(project, moved);
  return { project, top, offers };
}

function withTop(project: Project) {
  return { project, top: folderOf(project) };
}

function movedHere({ folders }: Project, { project, because }: LinkOffer): ThroughlineError {
  const folder = folders[0]?.path;
  const was = project.folders[0]?.path ?? project.name;
  return new ThroughlineError(
    'project-moved',
    `Nothing was written: ${folder} is new here, but it looks like ${project.id}, which was in ${was} (${OFFER_REASONS[because]}, and that folder is gone).`,
    { details: { project: project.id, because, folder, was } },
  );
}
