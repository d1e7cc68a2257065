import { ThroughlineError } from '../../errors.ts';
import type { EntryId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { Project } from '../projects/project.ts';
import { type MemoryFact, readMemory } from './read-memory.ts';

const LEAST = 4;

/** The fact of a project that `reference` names, also one that no longer holds. */
export async function lookUpFact(store: Store, project: Project, reference: string): Promise<MemoryFact> {
  const { facts } = await readMemory(store, project);
  return findFact(facts.values(), reference);
}

/** The one of `facts` that `reference` names: an id, its end as lists show it, or its start. */
export function findFact<Fact extends { readonly id: EntryId; readonly text: string }>(
  facts: Iterable<Fact>,
  reference: string,
  { what = 'fact' }: { what?: string } = {},
): Fact {
  const wanted = reference.toLowerCase().replace(/^#/, '');
  const fitting = [...facts].filter(
    ({ id }) => id === wanted || (wanted.length >= LEAST && (id.endsWith(wanted) || id.startsWith(wanted))),
  );
  const exact = fitting.find(({ id }) => id === wanted);
  if (exact || fitting.length === 1) return exact ?? fitting[0]!;
  if (fitting.length > 1) {
    const lines = fitting.slice(0, 10).map(({ id, text }) => `\n  ${id}  ${text}`);
    throw new ThroughlineError(
      'fact-ambiguous',
      `"${reference}" fits more than one ${what}; give more of the id:${lines.join('')}`,
      { details: { candidates: fitting.slice(0, 10).map(({ id, text }) => ({ id, text })) } },
    );
  }
  const short = wanted.length < LEAST ? ` Give at least ${LEAST} characters of its id.` : '';
  throw new ThroughlineError('fact-not-found', `No ${what} "${reference}".${short}`, {
    details: { fact: reference, of: what },
  });
}
