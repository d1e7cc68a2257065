import { renameSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAppOperation, perform } from '../../src/operations/index.ts';
import {
  acceptProjectProposals,
  addProjectFact,
  declineProjectProposals,
  listFacts,
  listProjectProposals,
  showMemory,
} from '../../src/operations/memory/index.ts';
import { addFact, findPlace, placeFolder, proposeFact } from '../../src/project/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { tempFolder } from '../flows/child.ts';
import { makeRepository } from '../project/benches.ts';

const WORDS = ['One', 'Two', 'Three', 'Four'].map((word) => `${word} is kept in its own file`);

/** A project with four open proposals. */
async function proposed() {
  const store = createMemoryStore();
  const { project } = await placeFolder(store, '/nowhere/shop');
  for (const text of WORDS) await proposeFact(store, project, text, { source: { by: 'agent' } });
  const place = await findPlace(store, { folder: '/nowhere/shop' });
  const app = createAppOperation(store, { place });
  const open = (await perform(listProjectProposals, { project: place.project.id }, app)).proposals;
  return { app, project: place.project.id, ids: open.map(({ id }) => id) };
}

const Verdicts = fc.array(
  fc.record({ accept: fc.boolean(), which: fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }) }),
  { maxLength: 5 },
);

describe('verdicts on proposals', () => {
  it('count once, may change to "accepted", and never take a fact back', async () => {
    await fc.assert(
      fc.asyncProperty(Verdicts, async (verdicts) => {
        const { app, project, ids } = await proposed();
        await using _ = app;
        const accepted = new Set<string>();
        const declined = new Set<string>();
        for (const { accept, which } of verdicts) {
          const named = which.map((index) => ids[index]!);
          const open = named.filter((id) => !accepted.has(id));
          if (open.length < named.length) {
            // A fact is no proposal any more: nothing is done to the others either.
            const judged = { project, ids: named };
            const refused = accept
              ? perform(acceptProjectProposals, judged, app)
              : perform(declineProjectProposals, judged, app);
            await expect(refused).rejects.toMatchObject({ code: 'fact-not-found' });
          } else if (accept) {
            const result = await perform(acceptProjectProposals, { project, ids: named }, app);
            expect(result.accepted).toEqual([...new Set(named)]);
            expect(result.facts.map(({ id, status }) => [id, status])).toEqual(
              result.accepted.map((id) => [id, 'live']),
            );
            for (const id of named) accepted.add(id);
          } else {
            const result = await perform(declineProjectProposals, { project, ids: named }, app);
            expect(result.declined).toEqual([...new Set(named)]);
            for (const id of named) declined.add(id);
          }
        }
        const { facts } = await perform(listFacts, { project }, app);
        expect(new Set(facts.map(({ id }) => id))).toEqual(accepted);
        const left = await perform(listProjectProposals, { project, declined: true, limit: 1 }, app);
        expect(left.total).toBe([...declined].filter((id) => !accepted.has(id)).length);
        expect(left.proposals).toHaveLength(Math.min(1, left.total));
      }),
      { numRuns: 30 },
    );
  });

  it('take all that are open, also when there are none', async () => {
    const { app, project, ids } = await proposed();
    await using _ = app;
    await perform(declineProjectProposals, { project, ids: [ids[0]!] }, app);
    const { accepted, budget } = await perform(acceptProjectProposals, { project, all: true }, app);
    expect([new Set(accepted), budget.stored]).toEqual([new Set(ids.slice(1)), 3]);
    expect((await perform(declineProjectProposals, { project, all: true }, app)).declined).toEqual([]);
  });

  it('put one proposal into other words, and refuse that for several', async () => {
    const { app, project, ids } = await proposed();
    await using _ = app;
    const text = 'Five is kept elsewhere';
    await expect(
      perform(acceptProjectProposals, { project, ids: ids.slice(0, 2), text }, app),
    ).rejects.toMatchObject({ code: 'usage' });
    const { facts } = await perform(acceptProjectProposals, { project, ids: [ids[0]!], text }, app);
    expect(facts).toMatchObject([{ text, supersedes: [ids[0]] }]);
  });

  it.each([{}, { ids: ['019a0000-0000-7000-8000-00000000fac7'], all: true }])(
    'are refused without one clear choice: %o',
    async (choice) => {
      const { app, project } = await proposed();
      await using _ = app;
      await expect(perform(acceptProjectProposals, { project, ...choice }, app)).rejects.toMatchObject({
        code: 'usage',
      });
    },
  );
});

describe('the facts of a project', () => {
  it('are listed in the words that a model is shown, as far as the room goes', async () => {
    const store = createMemoryStore();
    const { project } = await placeFolder(store, '/nowhere/shop');
    for (const text of WORDS) await addFact(store, project, text, { source: { by: 'person' } });
    await using app = createAppOperation(store, {
      place: await findPlace(store, { folder: '/nowhere/shop' }),
    });
    const name = app.place!.project.id;
    const all = await perform(listFacts, { project: name }, app);
    for (const text of WORDS) expect(all.text).toContain(text);
    const few = await perform(listFacts, { project: name, tokens: all.budget.used - 1 }, app);
    expect(few.facts.map(({ leftOut }) => leftOut)).toEqual(['over-budget', null, null, null]);
    expect(few.text).not.toContain(WORDS[0]);
    expect(await perform(showMemory, { project: name }, app)).toMatchObject({
      facts: all.facts,
      budget: all.budget,
      text: all.text,
      instructions: [],
      offers: [],
    });
  });

  it('say which older facts a new one contradicts, with their history', async () => {
    const store = createMemoryStore();
    await using app = createAppOperation(store, {
      place: await findPlace(store, { folder: '/nowhere/shop' }),
    });
    const project = app.place!.project.id;
    const { fact } = await perform(addProjectFact, { project, text: 'The port is 8080' }, app);
    const written = await perform(addProjectFact, { project, text: 'The port is 9090' }, app);
    expect(written.contradicts).toMatchObject([
      { id: fact.id, text: 'The port is 8080', kind: 'value', steps: [{ step: 'added', entry: fact.id }] },
    ]);
    expect(written.project).toMatchObject({ name: 'shop', folder: '/nowhere/shop' });
  });
});

it('refuses to write in a folder that looks like one that was moved, and offers the project to a reader', async () => {
  using temp = tempFolder();
  const before = makeRepository(temp.path, 'shop');
  const store = createMemoryStore();
  const { project } = await placeFolder(store, before);
  const written = await addFact(store, project, 'One', { source: { by: 'person' } });
  const after = path.join(temp.path, 'moved');
  renameSync(before, after);
  const { offers } = await findPlace(store, { folder: after });
  expect(offers).toMatchObject([
    { project: { id: written.project.id }, because: 'same-repository', moved: true },
  ]);
  await expect(findPlace(store, { folder: after, write: true })).rejects.toMatchObject({
    code: 'project-moved',
    details: { project: written.project.id, because: 'same-repository', folder: after, was: before },
  });
});
