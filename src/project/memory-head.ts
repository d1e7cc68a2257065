import type { HeadPiece } from '../context/index.ts';
import type { Store } from '../store/index.ts';
import { FACT_TOKENS, type FittedFacts, fitFacts } from './facts/fit-facts.ts';
import { readMemory } from './facts/read-memory.ts';
import { type ShownFact, showFacts } from './facts/show-facts.ts';
import {
  createInstructionReader,
  type FittedInstructions,
  fitInstructions,
  INSTRUCTION_TOKENS,
  type InstructionFile,
  type InstructionReader,
} from './instructions/read-instructions.ts';
import { isFolder, repositoryTop } from './projects/find-root.ts';
import { placeFolder } from './projects/list-projects.ts';
import { folderOf, type Project } from './projects/project.ts';

export interface MemoryHead {
  readonly project: Project;
  /** `instructions`, then `memory`; one that has nothing to say is not there. Put them into the head in this order. */
  readonly pieces: HeadPiece[];
  /** Every fact, oldest first, also those that do not fit. */
  readonly known: readonly ShownFact[];
  readonly facts: FittedFacts;
  readonly instructions: FittedInstructions & { readonly files: readonly InstructionFile[] };
}

interface MemoryHeadOptions {
  /** Where one works: the project is found from it, and the instruction files of that work tree are read. */
  readonly folder?: string;
  /** The project, if it is known already. Without `folder` the files are those of the session's folder, if that is there. */
  readonly project?: Project;
  /** Where the instruction files are, if not in the folder of the project. */
  readonly top?: string | undefined;
  /** Tokens of the model's window: facts and instructions take a share of a small one. */
  readonly window?: number;
  readonly factTokens?: number | undefined;
  readonly instructionTokens?: number;
  /** Keep one between calls: then files that have not changed are not read again. */
  readonly reader?: InstructionReader;
}

const FACT_SHARE = 0.05;
const INSTRUCTION_SHARE = 0.2;

/**
 * What a project's memory puts into the head of a context. Stable: the same as long as no fact is written and no file changes.
 * What does not fit is named in `facts.leftOut` and `instructions.leftOut`.
 */
export async function memoryHead(
  store: Store,
  { folder, project: given, top, window, reader = createInstructionReader(), ...limits }: MemoryHeadOptions,
): Promise<MemoryHead> {
  const place = folder === undefined ? undefined : await placeFolder(store, folder);
  const project = given ?? place?.project;
  if (!project) throw new Error('bug: a memory belongs to a project or a folder, and none was given');
  const share = (part: number) =>
    window === undefined ? Number.POSITIVE_INFINITY : Math.floor(window * part);
  const factTokens = limits.factTokens ?? Math.min(project.budget ?? FACT_TOKENS, share(FACT_SHARE));
  const instructionTokens =
    limits.instructionTokens ?? Math.min(INSTRUCTION_TOKENS, share(INSTRUCTION_SHARE));
  const known = showFacts(await readMemory(store, project));
  const facts = fitFacts(known, { limit: factTokens });
  const files = await readInstructions(top ?? place?.top ?? folderOf(project), reader);
  const instructions = { ...fitInstructions(files, { limit: instructionTokens }), files };
  const pieces = [
    { part: 'instructions', text: instructions.text },
    { part: 'memory', text: facts.text },
  ].filter(({ text }) => text !== '');
  return { project, pieces, known, facts, instructions };
}

/** What stands at the top of the project and above it in its repository, whichever folder of it one works in. */
export async function readInstructions(
  top: string | undefined,
  reader: InstructionReader = createInstructionReader(),
): Promise<InstructionFile[]> {
  return top === undefined || !isFolder(top) ? [] : reader.read(top, { top: repositoryTop(top) });
}
