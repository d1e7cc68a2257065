import { describe, expect, it } from 'vitest';
import {
  addFact,
  editFact,
  factHistory,
  listProjects,
  openProject,
  type Project,
  proposeFact,
  readMemory,
  retractFact,
  setBudget,
  showFacts,
} from '../../../src/project/index.ts';
import { unknownProject } from '../../../src/project/projects/project.ts';
import { newEntryId } from '../../../src/record/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { STORES } from '../../session/stores.ts';

const source = { by: 'person', name: 'Anna' } as const;
const PROJECT = unknownProject('/nowhere/shop');

async function texts(store: Store, project: Project): Promise<string[]> {
  return showFacts(await readMemory(store, project)).map(({ text }) => text);
}

describe.each(STORES)('facts in a $kind store', ({ open }) => {
  it('are written down with their source, and make the project known', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    expect(await texts(store, PROJECT)).toEqual([]);
    const agent = { by: 'agent', name: 'Sally', session: 'sally_1', entries: [newEntryId()] } as const;
    const options = { source: { ...agent, entries: [...agent.entries] }, now: clock.now };
    const { fact, project, budget } = await addFact(store, PROJECT, '  Tests run\nwith vitest. ', options);
    expect(fact).toMatchObject({
      text: 'Tests run with vitest.',
      source: agent,
      status: 'live',
      at: clock.now(),
    });
    expect(project).toMatchObject({
      known: true,
      id: expect.stringMatching(/^shop-[0-9a-f]{8}$/),
      folders: [{ path: '/nowhere/shop' }],
    });
    expect(budget).toMatchObject({ limit: 4000, stored: 1, loaded: 1, left: 4000 - budget.used });
    expect(await texts(store, project)).toEqual(['Tests run with vitest.']);
  });

  it('are not written twice in the same words', async () => {
    await using bench = await open();
    const first = await addFact(bench.store, PROJECT, 'The port is 8080.', { source });
    const again = await addFact(bench.store, PROJECT, 'the  port is 8080', { source });
    expect([again.repeated, again.fact.id]).toEqual([true, first.fact.id]);
    expect((await readMemory(bench.store, PROJECT)).facts.size).toBe(1);
  });

  it('are superseded by an edit and never overwritten', async () => {
    await using bench = await open();
    const { store } = bench;
    const { fact, project } = await addFact(store, PROJECT, 'The port is 8080.', { source });
    const edited = await editFact(store, project, fact, 'The port is 9090.', { source });
    expect(edited.fact.supersedes).toEqual([fact.id]);
    expect(await texts(store, project)).toEqual(['The port is 9090.']);
    const memory = await readMemory(store, project);
    expect(memory.facts.get(fact.id)).toMatchObject({ text: 'The port is 8080.', status: 'superseded' });
    const lines = factHistory(memory, edited.fact.id).map(({ step, text }) => `${step}: ${text}`);
    expect(lines).toEqual([
      'added: The port is 8080.',
      'superseded: The port is 8080.',
      'added: The port is 9090.',
    ]);
    expect(factHistory(memory, fact.id).map(({ step, text }) => `${step}: ${text}`)).toEqual(lines);
  });

  it('are not edited or retracted by their old words: what stands there now is named', async () => {
    await using bench = await open();
    const { store } = bench;
    const { fact, project } = await addFact(store, PROJECT, 'One', { source });
    const edited = await editFact(store, project, fact, 'Two', { source });
    await expect(editFact(store, project, fact, 'Three', { source })).rejects.toMatchObject({
      code: 'fact-not-found',
      details: { successors: [edited.fact.id] },
    });
    await expect(retractFact(store, project, fact, { source })).rejects.toMatchObject({
      code: 'fact-not-found',
    });
  });

  it('go with everything that repeats them when they are retracted, with the reason', async () => {
    await using bench = await open();
    const { store } = bench;
    const { fact, project } = await addFact(store, PROJECT, 'One', { source });
    // What two processes that read at the same moment both write.
    await store.append(project.id, [
      {
        body: {
          kind: 'fact',
          step: 'added',
          text: 'one.',
          list: 'facts',
          source: { by: 'person', name: 'Bo' },
        },
      },
    ]);
    expect(await texts(store, project)).toEqual(['One']);
    const retracted = await retractFact(store, project, fact, { source, reason: 'It was two.' });
    expect(retracted.map(({ status }) => status)).toEqual(['retracted', 'retracted']);
    expect(await texts(store, project)).toEqual([]);
    const history = factHistory(await readMemory(store, project), fact.id);
    expect(history.at(-1)).toMatchObject({ step: 'retracted', reason: 'It was two.', source });
  });

  it('may be said again after they were retracted', async () => {
    await using bench = await open();
    const { fact, project } = await addFact(bench.store, PROJECT, 'One', { source });
    await retractFact(bench.store, project, fact, { source });
    const again = await addFact(bench.store, project, 'One', { source });
    expect([again.repeated, await texts(bench.store, project)]).toEqual([false, ['One']]);
  });

  it('are reported with their contradictions, and both are kept', async () => {
    await using bench = await open();
    const { fact, project } = await addFact(bench.store, PROJECT, 'The port is 8080', { source });
    const { contradicts } = await addFact(bench.store, project, 'The port is 9090', { source });
    expect(contradicts).toMatchObject([{ id: fact.id, text: 'The port is 8080', kind: 'value' }]);
    expect(await texts(bench.store, project)).toEqual(['The port is 8080', 'The port is 9090']);
  });

  it('are kept when the budget is full, and the writer is warned', async () => {
    await using bench = await open();
    const { store } = bench;
    const project = await setBudget(store, await openProject(store, PROJECT), 150);
    let room = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 10; n++) {
      const { budget } = await addFact(store, project, `A fact that takes some room, number ${n} of ten`, {
        source,
      });
      expect(budget.left).toBeLessThanOrEqual(room);
      expect(budget.stored).toBe(n + 1);
      room = budget.left;
    }
    const { budget } = await addFact(store, project, 'One more', { source });
    expect(budget).toMatchObject({ limit: 150, left: 0, stored: 11 });
    expect(budget.loaded).toBeLessThan(11);
    expect(await texts(store, project)).toHaveLength(11);
  });

  it('can be edited and retracted by a reader of an empty memory', async () => {
    await using bench = await open();
    const { fact } = await addFact(bench.store, PROJECT, 'One', { source });
    const edited = await editFact(bench.store, PROJECT, fact, 'Two', { source });
    expect(await texts(bench.store, PROJECT)).toEqual(['Two']);
    await retractFact(bench.store, PROJECT, edited.fact, { source });
    expect(await texts(bench.store, PROJECT)).toEqual([]);
  });

  it('are written once when a retry gives the same id', async () => {
    await using bench = await open();
    const { store } = bench;
    const { fact, project } = await addFact(store, PROJECT, 'One', { source });
    const id = newEntryId();
    await editFact(store, project, fact, 'Two', { source, id });
    const again = await editFact(store, project, fact, 'Two', { source, id });
    expect([again.repeated, again.fact.id]).toEqual([true, id]);
    expect((await readMemory(store, project)).facts.size).toBe(2);
  });

  it('can be proposed, and are then not facts yet', async () => {
    await using bench = await open();
    const { fact, project } = await proposeFact(bench.store, PROJECT, 'Maybe', { source });
    expect([fact.status, await texts(bench.store, project)]).toEqual(['proposed', []]);
    expect((await proposeFact(bench.store, project, 'maybe.', { source })).repeated).toBe(true);
  });

  it.each([
    { text: ' \n ', why: 'there are no words' },
    { text: 'x'.repeat(2001), why: 'that is not a line' },
  ])('are refused if $why, and nothing is made', async ({ text }) => {
    await using bench = await open();
    await expect(addFact(bench.store, PROJECT, text, { source })).rejects.toMatchObject({ code: 'usage' });
    expect(await listProjects(bench.store)).toEqual([]);
  });

  it('are the same after everything that follows from the log is made again', async () => {
    await using bench = await open();
    const { store } = bench;
    const { fact, project } = await addFact(store, PROJECT, 'One', { source });
    await editFact(store, project, fact, 'Two', { source });
    const before = await readMemory(store, project);
    expect((await store.rebuild()).changed).toEqual([]);
    expect((await store.verify()).problems).toEqual([]);
    expect(await readMemory(store, project)).toEqual(before);
  });
});
