import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { addFact, memoryHead, readInstructions, setBudget } from '../../src/project/index.ts';
import { createSession } from '../../src/session/index.ts';
import { assistant, compaction, user } from '../../src/testing/index.ts';
import { countText } from '../../src/tokens/index.ts';
import { tempFolder } from '../flows/child.ts';
import { STORES } from '../session/stores.ts';
import { contextOf } from '../support/context-of.ts';
import { git, makeRepository, projectAt } from './benches.ts';

const source = { by: 'person', name: 'Anna' } as const;

describe.each(STORES)('the head of a context, from a $kind store', ({ open }) => {
  it('has the instruction files word for word, then the facts, and the same bytes every time', async () => {
    await using bench = await open();
    using temp = tempFolder();
    const shop = makeRepository(temp.path, 'shop', { 'AGENTS.md': 'Use tabs.\n', 'src/AGENTS.md': 'nested' });
    await addFact(bench.store, await projectAt(bench.store, shop), 'The port is 8080.', { source });
    const first = await memoryHead(bench.store, { folder: path.join(shop, 'src') });
    expect(first.pieces.map(({ part }) => part)).toEqual(['instructions', 'memory']);
    expect(first.pieces[0]!.text).toContain('## From AGENTS.md\n\nUse tabs.\n');
    expect(first.pieces[0]!.text).not.toContain('nested');
    expect(first.pieces[1]!.text).toContain('- The port is 8080. [');
    bench.clock.advance(86_400_000);
    expect((await memoryHead(bench.store, { folder: shop })).pieces).toEqual(first.pieces);
    writeFileSync(path.join(shop, 'AGENTS.md'), 'Use spaces.\n');
    const second = await memoryHead(bench.store, { folder: shop });
    expect(second.pieces[0]!.text).toContain('Use spaces.');
    expect(second.pieces[1]).toEqual(first.pieces[1]);
  });

  it('reads the files of the work tree one is in', async () => {
    await using bench = await open();
    using temp = tempFolder();
    const shop = makeRepository(temp.path, 'shop', { 'AGENTS.md': 'of the branch main' });
    const tree = path.join(temp.path, 'tree');
    git(shop, 'worktree', 'add', '-q', tree);
    writeFileSync(path.join(tree, 'AGENTS.md'), 'of the other branch');
    await addFact(bench.store, await projectAt(bench.store, shop), 'Shared.', { source });
    const { pieces } = await memoryHead(bench.store, { folder: tree });
    expect(
      pieces.map(({ text }) => [text.includes('of the other branch'), text.includes('Shared.')]),
    ).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('has nothing when there is nothing, and writes nothing', async () => {
    await using bench = await open();
    using temp = tempFolder();
    const { pieces, project } = await memoryHead(bench.store, { folder: temp.path });
    expect([pieces, await bench.store.session(project.id)]).toEqual([[], undefined]);
    expect(await readInstructions(path.join(temp.path, 'gone'))).toEqual([]);
  });

  it.each([
    { window: 200_000, facts: 4000, instructions: 16_000 },
    { window: 16_000, facts: 800, instructions: 3200 },
  ])('takes a share of a window of $window', async ({ window, facts, instructions }) => {
    await using bench = await open();
    using temp = tempFolder();
    const shop = makeRepository(temp.path, 'shop', { 'AGENTS.md': 'word '.repeat(10_000) });
    for (let n = 0; n < 60; n++)
      await addFact(bench.store, await projectAt(bench.store, shop), `Fact number ${n} takes a few tokens`, {
        source,
      });
    const head = await memoryHead(bench.store, { folder: shop, window });
    expect([head.facts.budget.limit, head.instructions.limit]).toEqual([facts, instructions]);
    expect(countText(head.facts.text)).toBeLessThanOrEqual(facts);
    expect(head.instructions.tokens).toBeLessThanOrEqual(instructions);
    expect(head.facts.budget.loaded + head.facts.leftOut.length).toBe(60);
  });

  it('keeps to the budget that the project was given', async () => {
    await using bench = await open();
    using temp = tempFolder();
    const { project } = await addFact(bench.store, await projectAt(bench.store, temp.path), 'One', {
      source,
    });
    const told = await setBudget(bench.store, project, 500);
    expect((await memoryHead(bench.store, { project: told })).facts.budget.limit).toBe(500);
    const usual = await setBudget(bench.store, told, undefined);
    expect((await memoryHead(bench.store, { project: usual })).facts.budget.limit).toBe(4000);
  });

  it('is there word for word after any number of compactions', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const shop = makeRepository(temp.path, 'shop', { 'AGENTS.md': 'Answer in German.\n' });
    const { project } = await addFact(store, await projectAt(store, shop), 'The port is 8080.', { source });
    await using session = await createSession(store, { project: project.id });
    const prefixes = new Set<string>();
    for (let n = 0; n < 30; n++) {
      const [asked] = await session.append([user(`Question ${n}`), assistant(`Answer ${n}`), user('Next?')]);
      if ([0, 4, 29].includes(n)) {
        const { pieces } = await memoryHead(store, { folder: shop });
        const { instructions } = await contextOf(store, session.info, {
          budget: { window: 20_000 },
          head: pieces,
        });
        prefixes.add(instructions);
        expect(instructions).toContain('Answer in German.\n');
        expect(instructions).toContain('- The port is 8080.');
      }
      await session.append([compaction({ covers: { from: asked!.seq, to: asked!.seq + 1 } })]);
    }
    expect(prefixes.size).toBe(1);
  });
});
