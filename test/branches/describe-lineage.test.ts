import { describe, expect, it } from 'vitest';
import { describeLineage, mergeBranch, type Relative, undoMerge } from '../../src/branches/index.ts';
import { resumeSession } from '../../src/session/index.ts';
import { summaryOf } from '../../src/testing/index.ts';
import { STORES } from '../session/stores.ts';
import { fork, infoOf, open, twoPlans } from './plans.ts';

/** The family as lines: who, how and where from, entries of its own, what it merged. */
function drawn({ id, relation, branchedAt, entries, merges, children }: Relative, indent = ''): string[] {
  const merged = merges.map(({ branch, head }) => ` <- ${branch} ${head}`).join('');
  const line = `${indent}${id} ${relation ?? '-'} ${branchedAt ?? '-'} +${entries}${merged}`;
  return [line, ...children.flatMap((child) => drawn(child, `${indent}  `))];
}

describe.each(STORES)('the lineage of a session in a $kind store', ({ open: openBench }) => {
  it('shows where each member branched off, its number of own entries, and merges', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    {
      await using session = await open(bench, 'main');
      await mergeBranch(session, await infoOf(bench, 'disk'), { rule: 'ours' });
    }
    await fork(bench, 'main', 'after');
    await (
      await resumeSession(bench.store, await infoOf(bench, 'disk'), {
        summary: summaryOf('Disk'),
        birth: { id: 'next' },
      })
    ).close();
    const lineage = await describeLineage(bench.store, await infoOf(bench, 'next'));
    expect(lineage).toMatchObject({ session: 'next', missing: null });
    expect(drawn(lineage.root)).toEqual([
      'main - - +8 <- disk 8',
      '  disk fork 4 +4',
      '    next resume 8 +2',
      // A fork shares what its parent merged before, and has merged nothing itself.
      '  after fork 8 +0',
    ]);
    expect(lineage.root).toMatchObject({ title: 'Cache', messages: 6, head: 8 });
  });

  it('forgets a merge that was taken back', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await using session = await open(bench, 'main');
    const { entry } = await mergeBranch(session, await infoOf(bench, 'disk'), { rule: 'ours' });
    await undoMerge(session, entry!.id);
    expect((await describeLineage(bench.store, session.info)).root.merges).toEqual([]);
  });
});
