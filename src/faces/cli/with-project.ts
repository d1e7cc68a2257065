import { userInfo } from 'node:os';
import { createAppOperation } from '../../operations/index.ts';
import type { LinkOffer, Project, ProjectPlace } from '../../project/index.ts';
import { openStore } from '../../store/index.ts';
import { chooseStore } from './choose-store.ts';
import { dimNote } from './terminal/paint.ts';
import { note } from './terminal/print.ts';
import { visibleLine } from './terminal/visible-text.ts';
import { type GlobalOptions, type Workplace, withStore } from './with-store.ts';

/** The options that every command about a project has. */
export interface ProjectOptions extends GlobalOptions {
  readonly project?: string;
  /** The name of the person whose words are written down; that of the account unless given. */
  readonly by?: string;
}

export interface ProjectWorkplace extends Workplace {
  readonly place: ProjectPlace;
  readonly project: Project;
  /** The id of the fact that a person means: an id, or the end or the start of one. */
  readonly findFact: (reference: string) => Promise<string>;
  /** The ids of several proposals, named in the same way, each once. */
  readonly findProposals: (references: readonly string[]) => Promise<string[]>;
}

/**
 * Opens the store and finds the project a command is about: the one named, or the one this folder is in. Reading makes
 * nothing. To write, a folder that looks like one that was moved has to be linked first.
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
    const { findPlace, lookUpFact, lookUpProposals, OFFER_REASONS } = await import('../../project/index.ts');
    const place = await findPlace(store, { project: options.project, folder: process.cwd(), write });
    const { project } = place;
    if (!options.json)
      for (const offer of place.offers.slice(0, 3))
        note(dimNote(sayOffer(offer, OFFER_REASONS[offer.because])));
    const speaker = { by: 'person', name: options.by ?? userName() } as const;
    await using app = createAppOperation(store, { place, speaker });
    return await work({
      ...workplace,
      app,
      place,
      project,
      findFact: async (reference) => (await lookUpFact(store, project, reference)).id,
      findProposals: async (references) =>
        (await lookUpProposals(store, project, references)).map(({ id }) => id),
    });
  });
}

function sayOffer({ project, moved }: LinkOffer, reason: string): string {
  const folder = visibleLine(project.folders[0]?.path ?? '');
  const link = `throughline projects link ${project.id}`;
  return moved
    ? `This may be ${project.id}: ${reason}, and ${folder} is gone. If so: ${link}`
    : `Another copy of this repository is known as ${project.id} (${folder}). To share what it knows: ${link}`;
}

/** The person at the keyboard, by the name of the account. */
export function userName(): string {
  try {
    return userInfo().username || UNNAMED;
  } catch {
    return UNNAMED;
  }
}

/** For an account without a name. */
const UNNAMED = 'a person';
