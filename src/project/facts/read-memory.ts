import { isSessionMissing } from '../../errors.ts';
import type {
  Entry,
  EntryId,
  FactSource,
  JudgedFact,
  Seq,
  SessionId,
  StatedFact,
} from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { knownProject } from '../projects/list-projects.ts';
import type { Project } from '../projects/project.ts';

// What a project knows is a fold over its log, and hardly one where order matters: a fact is shown if it was stated
// and neither superseded nor retracted. So two writers who did not know of each other both keep what they wrote, in
// whichever order their entries came.

/** Something that happened to a fact. */
export interface FactStep {
  readonly step: StatedFact['step'] | JudgedFact['step'] | 'superseded';
  /** The entry that says so; for `superseded` the fact that took its place. */
  readonly entry: EntryId;
  readonly seq: Seq;
  readonly at: number;
  readonly source: FactSource;
  readonly reason?: string;
}

export type FactStatus = 'live' | 'superseded' | 'retracted' | 'proposed' | 'declined';

export interface MemoryFact {
  /** Of the entry that stated it. */
  readonly id: EntryId;
  readonly text: string;
  readonly list: StatedFact['list'];
  readonly source: FactSource;
  readonly at: number;
  readonly seq: Seq;
  readonly status: FactStatus;
  /** Older facts in this log that it stands in for. */
  readonly supersedes: readonly EntryId[];
  /** Oldest first. */
  readonly steps: readonly FactStep[];
}

export interface Memory {
  /** Every fact there ever was, oldest first. */
  readonly facts: ReadonlyMap<EntryId, MemoryFact>;
  /** Answers to proposals that are in no log, as they were not accepted. */
  readonly judged: ReadonlyMap<EntryId, readonly FactStep[]>;
  /** The entry up to which the log was read. */
  readonly head: Seq;
}

export const EMPTY_MEMORY: Memory = { facts: new Map(), judged: new Map(), head: 0 };

/** The facts after these entries too, oldest first. Reading a log in pieces comes to the same as reading it at once. */
export function foldFacts(entries: readonly Entry[], before: Memory = EMPTY_MEMORY): Memory {
  const facts = new Map(before.facts);
  const judged = new Map(before.judged);

  function addStep(id: EntryId, step: FactStep): void {
    const fact = facts.get(id);
    if (fact) facts.set(id, withStatus({ ...fact, steps: [...fact.steps, step] }));
    else judged.set(id, [...(judged.get(id) ?? []), step]);
  }

  for (const { id, seq, at, body } of entries) {
    if (body.kind !== 'fact') continue;
    const said = { entry: id, seq, at, source: body.source };
    if ('fact' in body) {
      const { step, reason } = body;
      addStep(body.fact, { step, ...said, ...(reason !== undefined && { reason }) });
      continue;
    }
    const { step, text, list, source } = body;
    // Only what came before can be superseded, so that no chain can lead in a circle.
    const supersedes = [...new Set(body.supersedes)].filter((old) => facts.has(old));
    for (const old of supersedes) addStep(old, { step: 'superseded', ...said });
    const steps = [{ step, ...said }, ...(judged.get(id) ?? [])];
    judged.delete(id);
    facts.set(id, withStatus({ id, text, list, source, at, seq, supersedes, steps, status: 'live' }));
  }
  return { facts, judged, head: Math.max(before.head, entries.at(-1)?.seq ?? 0) };
}

function withStatus(fact: MemoryFact): MemoryFact {
  const has = (...steps: FactStep['step'][]) => fact.steps.some(({ step }) => steps.includes(step));
  return { ...fact, status: statusOf(has) };
}

/** A late "declined" takes nothing away that was accepted: that is what retracting is for. */
function statusOf(has: (...steps: FactStep['step'][]) => boolean): FactStatus {
  if (has('superseded')) return 'superseded';
  if (has('retracted')) return 'retracted';
  if (has('added', 'accepted')) return 'live';
  return has('declined') ? 'declined' : 'proposed';
}

const PAGE = 1000;

/** What a project knows, or knew before: `before` is read on from where it stands. A project without a log knows nothing. */
export async function readMemory(
  store: Store,
  project: Project | SessionId,
  { before = EMPTY_MEMORY }: { before?: Memory } = {},
): Promise<Memory> {
  const log = typeof project === 'string' ? project : (await knownProject(store, project))?.id;
  if (log === undefined) return EMPTY_MEMORY;
  let memory = before;
  try {
    for (;;) {
      const entries = await store.read(log, { after: memory.head, limit: PAGE, only: 'notes' });
      memory = foldFacts(entries, memory);
      if (entries.length < PAGE) return memory;
    }
  } catch (error) {
    if (isSessionMissing(error)) return EMPTY_MEMORY;
    throw error;
  }
}
