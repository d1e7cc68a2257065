import { readCheckpoint } from '../../compaction/index.ts';
import {
  deriveEntryId,
  type EntryId,
  type FactSource,
  isSummarised,
  LONGEST_FACT,
  type SessionInfo,
  type StatedFact,
  type SummaryLine,
} from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { sameLine } from '../../summary/index.ts';
import { factKey } from '../facts/find-contradictions.ts';
import { findFact } from '../facts/find-fact.ts';
import { type Memory, readMemory } from '../facts/read-memory.ts';
import { sessionsOf } from '../projects/list-projects.ts';
import type { Project } from '../projects/project.ts';

// What summaries suggest is not written down: it follows from the summaries, under an id made from its words. So nothing
// is proposed twice, a session that is purged takes its suggestions along, and only a verdict leaves a trace.

export interface Proposal {
  readonly id: EntryId;
  readonly text: string;
  readonly list: StatedFact['list'];
  /** Where it was said, the newest session first. */
  readonly sources: readonly FactSource[];
  /** When the newest of those sessions was last written to, or when it was proposed. */
  readonly at: number;
  readonly declined: boolean;
}

interface ProposalOptions {
  /** How many of the newest sessions are looked at. */
  readonly sessions?: number;
}

interface Proposals {
  /** Newest first. */
  readonly proposals: readonly Proposal[];
  /** Sessions that have a summary, and how many of them were looked at. */
  readonly sessions: number;
  readonly read: number;
}

const MOST_SESSIONS = 200;
const MOST_ENTRIES = 100;

/** What could be written down: what agents proposed, and facts and decisions from summaries that are not known yet. */
export async function listProposals(
  store: Store,
  project: Project,
  memory: Memory,
  { sessions: most = MOST_SESSIONS }: ProposalOptions = {},
): Promise<Proposals> {
  const summarised = (await sessionsOf(store, project)).filter(({ state }) => isSummarised(state));
  const read = summarised.slice(0, most);
  const found = new Map<EntryId, Proposal>(stored(memory).map((proposal) => [proposal.id, proposal]));
  const isNew = unknownTo(memory);
  for (const session of read) {
    const { facts, decisions } = await readCheckpoint(store, session);
    for (const line of decisions) add(found, session, { line, list: 'decisions', memory, isNew });
    for (const line of facts) add(found, session, { line, list: 'facts', memory, isNew });
  }
  // Of one moment, as they came: sessions from the newest on, decisions before facts.
  const proposals = [...found.values()].sort((a, b) => b.at - a.at);
  return { proposals, sessions: summarised.length, read: read.length };
}

/** The proposals that the references name, each once, also declined ones: a verdict may change. */
export async function lookUpProposals(
  store: Store,
  project: Project,
  references: readonly string[],
): Promise<Proposal[]> {
  const { proposals } = await listProposals(store, project, await readMemory(store, project));
  const named = references.map((reference) => findFact(proposals, reference, { what: 'proposal' }));
  return [...new Set(named)];
}

/** The id a line has as a proposal: the same words are the same proposal, in any session. */
function proposalId(text: string): EntryId {
  return deriveEntryId('throughline proposal', factKey(text));
}

function stored(memory: Memory): Proposal[] {
  return [...memory.facts.values()]
    .filter(({ status }) => status === 'proposed' || status === 'declined')
    .map(({ id, text, list, source, at, status }) => ({
      id,
      text,
      list,
      sources: [source],
      at,
      declined: status === 'declined',
    }));
}

function add(
  found: Map<EntryId, Proposal>,
  session: SessionInfo,
  {
    line: { text, from },
    list,
    memory,
    isNew,
  }: { line: SummaryLine; list: StatedFact['list']; memory: Memory; isNew: (text: string) => boolean },
): void {
  const line = plainLine(text);
  if (line === '' || line.length > LONGEST_FACT || !isNew(line)) return;
  const id = proposalId(line);
  const source: FactSource = {
    by: 'summary',
    session: session.id,
    ...(from.length > 0 && { entries: from.slice(0, MOST_ENTRIES) }),
  };
  const known = found.get(id);
  if (known) found.set(id, { ...known, sources: [...known.sources, source] });
  else {
    const declined = memory.judged.get(id)?.some(({ step }) => step === 'declined') === true;
    found.set(id, { id, text: line, list, sources: [source], at: session.updatedAt, declined });
  }
}

/** Without the marks that a summary sets before what a user said, or before a decision. */
function plainLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/^> |^Decision: /, '')
    .toWellFormed();
}

/** Nor is anything proposed that was known once: it was superseded or retracted for a reason. */
function unknownTo(memory: Memory): (text: string) => boolean {
  const known = [...memory.facts.values()].map(({ text }) => text);
  const keys = new Set(known.map(factKey));
  return (text) => !keys.has(factKey(text)) && !known.some((other) => sameLine(other, text));
}
