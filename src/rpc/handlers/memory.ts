import {
  acceptProposals,
  addFact,
  declineProposals,
  editFact,
  factHistory,
  findFact,
  fitFacts,
  listProposals,
  type MemoryFact,
  type Project,
  type Proposal,
  readMemory,
  retractFact,
  type ShownFact,
  showFacts,
  type WrittenFact,
  wholeHistory,
} from '../../memory/index.ts';
import { findReachable, refused } from '../../operations/index.ts';
import type { FactSource } from '../../record/index.ts';
import type { Call, Handler } from '../call.ts';
import type { ResultOf } from '../methods/index.ts';

type FactRecord = ResultOf<'memory/list'>['facts'][number];

const list: Handler<'memory/list'> = async (params, call) => {
  const project = await projectOf(call, params.project);
  const shown = showFacts(await readMemory(call.store, project));
  const { budget } = fitFacts(shown, { ...(project.budget !== undefined && { limit: project.budget }) });
  return { project: named(project), facts: shown.map(toFact), budget: { ...budget } };
};

const add: Handler<'memory/add'> = async (params, call) => {
  const { text, list: kind, supersedes, sessionId, entries, id } = params;
  const project = await projectOf(call, params.project);
  const { facts } = await readMemory(call.store, project);
  const session = sessionId === undefined ? undefined : (await call.find(sessionId)).id;
  const written = await addFact(call.store, project, text, {
    source: { ...sourceOf(call), ...(session !== undefined && { session }), ...(entries && { entries }) },
    list: kind,
    ...(id !== undefined && { id }),
    ...(supersedes.length > 0 && { supersedes: supersedes.map((old) => findFact(facts.values(), old).id) }),
  });
  return toWritten(written);
};

const edit: Handler<'memory/edit'> = async ({ project: name, id, text, list: kind }, call) => {
  const project = await projectOf(call, name);
  const { facts } = await readMemory(call.store, project);
  const fact = findFact(facts.values(), id);
  const options = { source: sourceOf(call), ...(kind !== undefined && { list: kind }) };
  return toWritten(await editFact(call.store, project, fact, text, options));
};

const retract: Handler<'memory/retract'> = async ({ project: name, id, reason }, call) => {
  const project = await projectOf(call, name);
  const { facts } = await readMemory(call.store, project);
  const gone = await retractFact(call.store, project, findFact(facts.values(), id), {
    source: sourceOf(call),
    ...(reason !== undefined && { reason }),
  });
  return { project: named(project), retracted: gone.map((fact) => fact.id) };
};

const history: Handler<'memory/history'> = async ({ project: name, id }, call) => {
  const project = await projectOf(call, name);
  const memory = await readMemory(call.store, project);
  const lines =
    id === undefined ? wholeHistory(memory) : factHistory(memory, findFact(memory.facts.values(), id).id);
  return {
    project: named(project),
    steps: lines.map(({ fact, step, text = null, at, source, reason = null }) => ({
      fact,
      step,
      text,
      at,
      source: { ...source },
      reason,
    })),
  };
};

const proposals: Handler<'memory/proposals'> = async ({ project: name, limit }, call) => {
  const project = await projectOf(call, name);
  const open = (await openProposals(call, project)).slice(0, limit);
  return {
    project: named(project),
    proposals: open.map(({ id, text, list: kind, sources, at }) => ({
      id,
      text,
      list: kind,
      sources: sources.map((source) => ({ ...source })),
      at,
    })),
  };
};

const accept: Handler<'memory/accept'> = async ({ project: name, ids }, call) => {
  const project = await projectOf(call, name);
  const facts = await acceptProposals(call.store, project, await chosen(call, project, ids), {
    source: sourceOf(call),
  });
  return { project: named(project), accepted: facts.map(({ id }) => id) };
};

const decline: Handler<'memory/decline'> = async ({ project: name, ids, reason }, call) => {
  const project = await projectOf(call, name);
  const declined = await declineProposals(call.store, project, await chosen(call, project, ids), {
    source: sourceOf(call),
    ...(reason !== undefined && { reason }),
  });
  return { project: named(project), declined };
};

async function openProposals({ store }: Call, project: Project): Promise<Proposal[]> {
  const found = await listProposals(store, project, await readMemory(store, project));
  return found.proposals.filter(({ declined }) => !declined);
}

async function chosen(call: Call, project: Project, ids: readonly string[]): Promise<Proposal[]> {
  const open = new Map((await openProposals(call, project)).map((proposal) => [proposal.id, proposal]));
  return ids.map((id) => {
    const proposal = open.get(id);
    if (proposal) return proposal;
    throw refused('fact-not-found', `Nobody proposes ${id} in ${project.name}.`, { fact: id });
  });
}

function projectOf({ store, access }: Call, name: string): Promise<Project> {
  return findReachable(store, access, name);
}

function sourceOf({ access: { user } }: Call): FactSource {
  return { by: 'person', ...(user !== 'owner' && { name: user }) };
}

const named = ({ id, name }: Project) => ({ id, name });

function toFact(fact: MemoryFact | ShownFact): FactRecord {
  const { id, text, list: kind, status, at, supersedes, source } = fact;
  const sources = 'sources' in fact ? fact.sources : [source];
  const contradicts = 'contradicts' in fact ? fact.contradicts : [];
  return {
    id,
    text,
    list: kind,
    status,
    at,
    sources: sources.map((one) => ({ ...one })),
    supersedes: [...supersedes],
    contradicts: contradicts.map(({ id: other, kind: how }) => ({ id: other, kind: how })),
  };
}

function toWritten({ project, fact, repeated, budget }: WrittenFact): ResultOf<'memory/add'> {
  return { project: named(project), fact: toFact(fact), repeated, budget: { ...budget } };
}

export const memory = {
  'memory/list': list,
  'memory/add': add,
  'memory/edit': edit,
  'memory/retract': retract,
  'memory/history': history,
  'memory/proposals': proposals,
  'memory/accept': accept,
  'memory/decline': decline,
};
