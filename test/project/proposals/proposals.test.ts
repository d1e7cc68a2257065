import { describe, expect, it } from 'vitest';
import {
  acceptProposals,
  addFact,
  declineProposals,
  editProposal,
  listProjects,
  listProposals,
  type Project,
  type Proposal,
  proposeFact,
  readMemory,
  retractFact,
  showFacts,
} from '../../../src/project/index.ts';
import { unknownProject } from '../../../src/project/projects/project.ts';
import { type EntryId, emptySummary, newEntryId } from '../../../src/record/index.ts';
import { createSession, purgeSession, trashSession } from '../../../src/session/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { assistant, compaction, user } from '../../../src/testing/index.ts';
import { STORES } from '../../session/stores.ts';

const source = { by: 'person', name: 'Anna' } as const;
const PROJECT = unknownProject('/nowhere/shop');

/** A session of the project with a summary that says these things. */
async function summarised(
  store: Store,
  id: string,
  lines: { facts?: readonly string[]; decisions?: readonly string[] },
): Promise<EntryId> {
  await using session = await createSession(store, { id, project: '/nowhere/shop' });
  const [said] = await session.append([user('Look around.'), assistant('I did.'), user('And?')]);
  const list = (texts: readonly string[] = []) => texts.map((text) => ({ text, from: [said!.id] }));
  const summary = {
    ...emptySummary('We looked.'),
    facts: list(lines.facts),
    decisions: list(lines.decisions),
  };
  await session.append([compaction({ covers: { from: said!.seq, to: said!.seq + 1 }, summary })]);
  return said!.id;
}

async function proposed(store: Store, project: Project = PROJECT): Promise<Proposal[]> {
  const { proposals } = await listProposals(store, project, await readMemory(store, project));
  return proposals.filter(({ declined }) => !declined);
}

async function known(store: Store, project: Project = PROJECT): Promise<string[]> {
  return showFacts(await readMemory(store, project)).map(({ text }) => text);
}

describe.each(STORES)('proposals in a $kind store', ({ open }) => {
  it('come from the facts and decisions of summaries, with the session and the entry', async () => {
    await using bench = await open();
    const entry = await summarised(bench.store, 'one', {
      facts: ['CI needs Java 21.'],
      decisions: ['No ORM.'],
    });
    const texts = (await proposed(bench.store)).map(({ text, list, sources }) => ({ text, list, sources }));
    const from = [{ by: 'summary', session: 'one', entries: [entry] }];
    expect(texts.sort((a, b) => (a.text < b.text ? -1 : 1))).toEqual([
      { text: 'CI needs Java 21.', list: 'facts', sources: from },
      { text: 'No ORM.', list: 'decisions', sources: from },
    ]);
  });

  it('are without the marks that a digest sets', async () => {
    await using bench = await open();
    await summarised(bench.store, 'one', { facts: ['> login fails'], decisions: ['Decision: no ORM.'] });
    expect((await proposed(bench.store)).map(({ text }) => text)).toEqual(['no ORM.', 'login fails']);
  });

  it('write nothing: looking at them makes no project', async () => {
    await using bench = await open();
    await summarised(bench.store, 'one', { facts: ['CI needs Java 21.'] });
    await proposed(bench.store);
    expect(await listProjects(bench.store)).toEqual([]);
  });

  it('are one when two sessions say the same, with both as sources', async () => {
    await using bench = await open();
    await summarised(bench.store, 'one', { facts: ['CI needs Java 21.'] });
    bench.clock.advance(1000);
    await summarised(bench.store, 'two', { facts: ['ci needs Java 21'] });
    const all = await proposed(bench.store);
    expect(all.map(({ sources }) => sources.map(({ session }) => session))).toEqual([['two', 'one']]);
  });

  it('are facts once they are accepted, with where they were said, and are not proposed again', async () => {
    await using bench = await open();
    const entry = await summarised(bench.store, 'one', { facts: ['CI needs Java 21.'] });
    const [fact] = await acceptProposals(bench.store, PROJECT, await proposed(bench.store), { source });
    expect(fact).toMatchObject({
      status: 'live',
      source: { by: 'summary', session: 'one', entries: [entry] },
      steps: [{ step: 'proposed' }, { step: 'accepted', source }],
    });
    expect([await known(bench.store), await proposed(bench.store)]).toEqual([['CI needs Java 21.'], []]);
  });

  it('are not proposed again once they are declined, and leave no words behind', async () => {
    await using bench = await open();
    await summarised(bench.store, 'one', { facts: ['The secret is hunter2.'] });
    await declineProposals(bench.store, PROJECT, await proposed(bench.store), { source, reason: 'no' });
    expect([await known(bench.store), await proposed(bench.store)]).toEqual([[], []]);
    const [project] = await listProjects(bench.store);
    const log = JSON.stringify(await bench.store.read(project!.id));
    expect(log).toContain('declined');
    expect(log).not.toContain('hunter2');
    // Somebody may still change their mind.
    const memory = await readMemory(bench.store, PROJECT);
    const { proposals } = await listProposals(bench.store, PROJECT, memory);
    await acceptProposals(bench.store, PROJECT, proposals, { source });
    expect(await known(bench.store)).toEqual(['The secret is hunter2.']);
  });

  it('are gone with the session they come from', async () => {
    await using bench = await open();
    await summarised(bench.store, 'one', { facts: ['CI needs Java 21.'] });
    await trashSession(bench.store, 'one');
    expect(await proposed(bench.store)).toEqual([]);
    await purgeSession(bench.store, (await bench.store.session('one'))!);
    expect(await proposed(bench.store)).toEqual([]);
  });

  it.each([
    { was: 'is known in nearly the same words', text: 'The CI needs Java 21' },
    { was: 'was known and taken back', text: 'CI needs Java 21.', retract: true },
  ])('leave out what $was', async ({ text, retract }) => {
    await using bench = await open();
    await summarised(bench.store, 'one', { facts: ['CI needs Java 21.', 'It takes 40 minutes.'] });
    const { fact, project } = await addFact(bench.store, PROJECT, text, { source });
    if (retract) await retractFact(bench.store, project, fact, { source });
    expect((await proposed(bench.store)).map((proposal) => proposal.text)).toEqual(['It takes 40 minutes.']);
  });

  it('can be accepted in other words, and the original ones are kept as superseded', async () => {
    await using bench = await open();
    await summarised(bench.store, 'one', { facts: ['CI needs Java 17.'] });
    const [proposal] = await proposed(bench.store);
    const { fact } = await editProposal(bench.store, PROJECT, proposal!, 'CI needs Java 21.', { source });
    expect([fact.supersedes, await known(bench.store)]).toEqual([[proposal!.id], ['CI needs Java 21.']]);
    expect(await proposed(bench.store)).toEqual([]);
  });

  it('may be judged by two at the same moment: nothing accepted is lost, in any order', async () => {
    await using bench = await open();
    const { store } = bench;
    await summarised(store, 'one', { facts: ['A is so.', 'B is so.'] });
    const all = await proposed(store);
    await Promise.all([
      acceptProposals(store, PROJECT, all, { source }),
      acceptProposals(store, PROJECT, all, { source: { by: 'person', name: 'Bo' } }),
      declineProposals(store, PROJECT, all, { source: { by: 'person', name: 'Cy' } }),
    ]);
    expect((await known(store)).sort()).toEqual(['A is so.', 'B is so.']);
  });

  it('also come from agents, and wait for a person like the others', async () => {
    await using bench = await open();
    const agent = { by: 'agent' as const, session: 'sally', entries: [newEntryId()] };
    const { project } = await proposeFact(bench.store, PROJECT, 'Deploys are on Fridays.', { source: agent });
    const [proposal] = await proposed(bench.store, project);
    expect(proposal).toMatchObject({ text: 'Deploys are on Fridays.', sources: [agent] });
    await acceptProposals(bench.store, project, [proposal!], { source });
    expect([await known(bench.store), await proposed(bench.store)]).toEqual([
      ['Deploys are on Fridays.'],
      [],
    ]);
  });

  it('say how many sessions were looked at when there are too many', async () => {
    await using bench = await open();
    for (const id of ['one', 'two', 'three']) await summarised(bench.store, id, { facts: [`About ${id}.`] });
    const memory = await readMemory(bench.store, PROJECT);
    const some = await listProposals(bench.store, PROJECT, memory, { sessions: 2 });
    expect([some.sessions, some.read, some.proposals.length]).toEqual([3, 2, 2]);
  });
});
