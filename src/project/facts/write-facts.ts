import { ThroughlineError } from '../../errors.ts';
import {
  type EntryId,
  type FactSource,
  LONGEST_FACT,
  type NewEntry,
  newEntryId,
  type StatedFact,
} from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { knownProject } from '../projects/list-projects.ts';
import { openProject } from '../projects/open-project.ts';
import type { Project } from '../projects/project.ts';
import { factKey } from './find-contradictions.ts';
import { type FactBudget, fitFacts } from './fit-facts.ts';
import { type FactStatus, foldFacts, type Memory, type MemoryFact, readMemory } from './read-memory.ts';
import { type ShownFact, showFacts } from './show-facts.ts';

export interface FactOptions {
  readonly source: FactSource;
  readonly now?: () => number;
}

interface StateOptions extends FactOptions {
  /** Give one to make a retry safe: the same id with the same words is written once. */
  readonly id?: EntryId;
  readonly list?: StatedFact['list'];
  /** Facts that this one stands in for. */
  readonly supersedes?: readonly EntryId[];
}

export interface WrittenFact {
  /** As the project knows it now. */
  readonly fact: MemoryFact;
  /** It was known in these words already, so nothing was written. */
  readonly repeated: boolean;
  /** Facts that it contradicts, or may. They are kept. */
  readonly contradicts: readonly (MemoryFact & { readonly kind: ShownFact['contradicts'][number]['kind'] })[];
  readonly budget: FactBudget;
  readonly project: Project;
}

/** Writes a fact down. One that is known in the same words is not written again. */
export async function addFact(
  store: Store,
  project: Project,
  text: string,
  { supersedes = [], ...options }: StateOptions,
): Promise<WrittenFact> {
  const line = oneLine(text);
  const opened = await openProject(store, project, options);
  const memory = await readMemory(store, opened);
  const known = supersedes.length === 0 ? findSame(memory, line, ['live']) : undefined;
  if (known) return describeWritten(opened, memory, known.id, { repeated: true });
  return state(store, opened, { step: 'added', text: line, memory, supersedes, ...options });
}

/** Puts a fact up for a person to accept or decline. Until then it is not shown as a fact. */
export async function proposeFact(
  store: Store,
  project: Project,
  text: string,
  options: StateOptions,
): Promise<WrittenFact> {
  const line = oneLine(text);
  const opened = await openProject(store, project, options);
  const memory = await readMemory(store, opened);
  const known = findSame(memory, line);
  if (known) return describeWritten(opened, memory, known.id, { repeated: true });
  return state(store, opened, { step: 'proposed', text: line, memory, ...options });
}

/** Says a fact anew. The old words stay in its history, and whatever repeats them goes with them. */
export async function editFact(
  store: Store,
  given: Project,
  fact: MemoryFact,
  text: string,
  options: FactOptions & { readonly list?: StatedFact['list']; readonly id?: EntryId },
): Promise<WrittenFact> {
  const line = oneLine(text);
  const project = (await knownProject(store, given)) ?? given;
  const memory = await readMemory(store, project);
  if (options.id !== undefined && memory.facts.get(options.id)?.text === line)
    return describeWritten(project, memory, options.id, { repeated: true });
  const current = currentOf(memory, fact);
  if (line === current.text && (options.list ?? current.list) === current.list)
    return describeWritten(project, memory, current.id, { repeated: true });
  const supersedes = [current.id, ...repeatsOf(memory, current)];
  return state(store, project, {
    step: 'added',
    text: line,
    list: current.list,
    memory,
    supersedes,
    ...options,
  });
}

/** Takes a fact back, with whatever repeats it. It stays in the history, with the reason. */
export async function retractFact(
  store: Store,
  given: Project,
  fact: MemoryFact,
  { source, reason, now = Date.now }: FactOptions & { readonly reason?: string },
): Promise<MemoryFact[]> {
  const project = (await knownProject(store, given)) ?? given;
  const memory = await readMemory(store, project);
  const current = currentOf(memory, fact);
  const at = now();
  const ids = [current.id, ...repeatsOf(memory, current)];
  const entries = ids.map(
    (id): NewEntry => ({
      at,
      body: { kind: 'fact', step: 'retracted', fact: id, source, ...(reason !== undefined && { reason }) },
    }),
  );
  const { facts } = foldFacts(await store.append(project.id, entries), memory);
  return ids.map((id) => facts.get(id)!);
}

/** A line that can stand in a list: whatever breaks it becomes a space. */
function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line === '') throw new ThroughlineError('usage', 'A fact needs words: there are none.');
  if (line.length > LONGEST_FACT) {
    throw new ThroughlineError(
      'usage',
      `A fact is a line of at most ${LONGEST_FACT} characters, and this has ${line.length}. Put it into a file of the project and write down where it is.`,
    );
  }
  return line.toWellFormed();
}

interface Statement extends StateOptions {
  readonly step: StatedFact['step'];
  readonly text: string;
  readonly memory: Memory;
}

async function state(
  store: Store,
  project: Project,
  { step, text, memory, source, list = 'facts', supersedes = [], id, now = Date.now }: Statement,
): Promise<WrittenFact> {
  const at = now();
  const body: StatedFact = {
    kind: 'fact',
    step,
    text,
    list,
    source,
    ...(supersedes.length > 0 && { supersedes: [...supersedes] }),
  };
  // Without an expected head: other writers keep theirs as well.
  const [entry] = await store.append(project.id, [{ id: id ?? newEntryId(at), at, body }]);
  const after = await readMemory(store, project, { before: memory });
  return describeWritten(project, after, entry!.id, { repeated: false });
}

function describeWritten(
  project: Project,
  memory: Memory,
  id: EntryId,
  { repeated }: { repeated: boolean },
): WrittenFact {
  const shown = showFacts(memory);
  const fact = shown.find((one) => one.id === id || one.repeats.includes(id)) ?? memory.facts.get(id)!;
  const contradicts: ShownFact['contradicts'] = shown.find((one) => one.id === fact.id)?.contradicts ?? [];
  return {
    fact,
    repeated,
    contradicts: contradicts.map(({ id: other, kind }) => ({ ...memory.facts.get(other)!, kind })),
    budget: fitFacts(shown, { limit: project.budget }).budget,
    project,
  };
}

/** Old words are not edited or taken back: naming them gives the fact that replaced them. */
function currentOf(memory: Memory, { id }: Pick<MemoryFact, 'id'>): MemoryFact {
  const fact = memory.facts.get(id);
  if (!fact)
    throw new ThroughlineError('fact-not-found', `No fact ${id} in this project.`, { details: { fact: id } });
  if (fact.status === 'live' || fact.status === 'proposed') return fact;
  const successors = fact.steps.flatMap(({ step, entry }) => (step === 'superseded' ? [entry] : []));
  const now = successors.length > 0 ? ` What stands in its place: ${successors.join(', ')}.` : '';
  throw new ThroughlineError('fact-not-found', `Fact ${id} was ${fact.status} already.${now}`, {
    details: { fact: id, status: fact.status, successors },
  });
}

function repeatsOf(memory: Memory, { id, text }: MemoryFact): EntryId[] {
  const key = factKey(text);
  return [...memory.facts.values()]
    .filter((other) => other.id !== id && other.status === 'live' && factKey(other.text) === key)
    .map((other) => other.id);
}

function findSame({ facts }: Memory, text: string, statuses?: readonly FactStatus[]): MemoryFact | undefined {
  const key = factKey(text);
  return [...facts.values()].find(
    (fact) => (statuses?.includes(fact.status) ?? true) && factKey(fact.text) === key,
  );
}
