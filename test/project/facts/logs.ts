import { deriveEntryId, type Entry, type EntryId, type Fact } from '../../../src/record/index.ts';

/** The id of the fact that a test calls by this name. */
export function idOf(name: string): EntryId {
  return deriveEntryId('test', name);
}

/** One step of a fact's life, with the name of its entry. */
export interface Step {
  readonly name: string;
  readonly body: Fact;
}

export const person = { by: 'person', name: 'Anna' } as const;

export function added(name: string, text = `about ${name}`, supersedes: readonly string[] = []): Step {
  const replaced = supersedes.length > 0 ? { supersedes: supersedes.map(idOf) } : {};
  return { name, body: { kind: 'fact', step: 'added', text, list: 'facts', source: person, ...replaced } };
}

export function proposed(name: string, text = `about ${name}`): Step {
  return { name, body: { kind: 'fact', step: 'proposed', text, list: 'facts', source: person } };
}

export function judged(step: 'accepted' | 'declined' | 'retracted', fact: string, by = ''): Step {
  return { name: `${step} ${fact} ${by}`, body: { kind: 'fact', step, fact: idOf(fact), source: person } };
}

/** The steps as the entries of one log. */
export function logOf(steps: readonly Step[]): Entry[] {
  return steps.map(({ name, body }, index) => ({
    id: idOf(name),
    seq: index + 1,
    at: 1_000_000 + index,
    tokens: 0,
    body,
  }));
}
