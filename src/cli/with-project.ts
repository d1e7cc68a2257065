import { ThroughlineError } from '../errors.ts';
import type { LinkOffer, Project } from '../memory/index.ts';
import { createApp } from '../operations/index.ts';
import { openStore } from '../store/index.ts';
import { chooseStore } from './choose-store.ts';
import { dimNote } from './terminal/paint.ts';
import { note } from './terminal/print.ts';
import { visibleLine } from './terminal/visible-text.ts';
import { type GlobalOptions, type Workplace, withStore } from './with-store.ts';

/** The options that every command about a project has. */
export interface ProjectOptions extends GlobalOptions {
  readonly project?: string;
}

export interface ProjectWorkplace extends Workplace {
  readonly memory: typeof import('../memory/index.ts');
  readonly project: Project;
  /** Where its files are. */
  readonly top: string | undefined;
  /** Projects that a folder which is new may be. */
  readonly offers: readonly LinkOffer[];
}

/**
 * Opens the store and finds the project a command is about: the one named, or the one this folder is in. Reading makes
 * nothing. To write, a folder that looks like one that was moved has to be linked first: nobody guesses.
 */
export async function withProject<T>(
  options: ProjectOptions,
  { write }: { write: boolean },
  work: (workplace: ProjectWorkplace) => Promise<T>,
): Promise<T> {
  const { location, exists } = chooseStore(options.store);
  if (write && !exists) await (await openStore(location))[Symbol.asyncDispose]();
  return withStore(options, async (workplace) => {
    const { store } = workplace;
    const memory = await import('../memory/index.ts');
    const place = options.project === undefined ? await memory.placeFolder(store, process.cwd()) : undefined;
    const project = place?.project ?? (await memory.findProject(store, options.project!));
    const offers = await memory.offerLinks(store, project);
    const moved = memory.likelyMoved(offers);
    if (write && moved) throw movedHere(project, moved);
    if (!options.json) for (const offer of offers.slice(0, 3)) note(dimNote(sayOffer(offer)));
    await using app = createApp(store, { place: project });
    return await work({
      ...workplace,
      app,
      memory,
      project,
      offers,
      top: place?.top ?? memory.folderOf(project),
    });
  });
}

const REASONS = {
  'same-repository': 'it is the same repository',
  'own-store': 'it is written down in the store here',
  'same-name': 'its folder had the same name',
} as const;

function sayOffer({ project, because, moved }: LinkOffer): string {
  const folder = visibleLine(project.folders[0]?.path ?? '');
  const link = `throughline projects link ${project.id}`;
  return moved
    ? `This may be ${project.id}: ${REASONS[because]}, and ${folder} is gone. If so: ${link}`
    : `Another copy of this repository is known as ${project.id} (${folder}). To share what it knows: ${link}`;
}

function movedHere({ folders }: Project, { project, because }: LinkOffer): ThroughlineError {
  const old = project.folders[0]?.path ?? project.name;
  return new ThroughlineError(
    'project-moved',
    `Nothing was written: ${folders[0]?.path} is new here, but it looks like ${project.id}, which was in ${old} (${REASONS[because]}, and that folder is gone). If it is: "throughline projects link ${project.id}". If not: "throughline projects add".`,
    { details: { project: project.id, because, folder: folders[0]?.path, was: old } },
  );
}
