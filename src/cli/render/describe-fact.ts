import type { MemoryFact, Project, ShownFact } from '../../memory/index.ts';

/** A fact as `--json` shows it. A contract: fields are added, never changed. */
export function describeFact(fact: MemoryFact | ShownFact): Record<string, unknown> {
  const { id, text, list, status, at, source, supersedes } = fact;
  const shown =
    'sources' in fact
      ? { sources: fact.sources, repeats: fact.repeats, contradicts: fact.contradicts }
      : { sources: [source], repeats: [], contradicts: [] };
  return { id, text, list, status, at, supersedes, ...shown };
}

export function describeProject(project: Project): Record<string, unknown> {
  const { id, name, known, folders, labels, budget, firstCommit, createdAt } = project;
  const folder = (folders.find(({ leftAt }) => leftAt === undefined) ?? folders[0])?.path ?? null;
  return {
    id: known ? id : null,
    name,
    folder,
    folders,
    labels,
    firstCommit: firstCommit ?? null,
    budget: budget ?? null,
    createdAt: known ? createdAt : null,
  };
}
