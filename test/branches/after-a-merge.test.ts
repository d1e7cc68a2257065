import { describe, expect, it } from 'vitest';
import { mergeBranch } from '../../src/branches/index.ts';
import {
  checkpointAt,
  checkpointHistory,
  compactSession,
  listCompactions,
  PRESETS,
  readCheckpoint,
  restoreCheckpoint,
} from '../../src/compaction/index.ts';
import type { Compaction } from '../../src/record/index.ts';
import { expandCompactions, readConversation, resumeSession } from '../../src/session/index.ts';
import { assistant, compaction, summaryOf, user } from '../../src/testing/index.ts';
import { type Bench, STORES } from '../session/stores.ts';
import { contextOf } from '../support/context-of.ts';
import { EVICTION, FILES, infoOf, MAP, open, say, twoPlans } from './plans.ts';

async function mergeTheirs(bench: Bench): Promise<void> {
  await using session = await open(bench, 'main');
  await mergeBranch(session, await infoOf(bench, 'disk'), { rule: 'theirs' });
}

const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);
const LONG = 'The page is rendered from the catalogue, the prices and the stock, in that order. '.repeat(12);

/** Goes on for a while, so that there is something to compact, and compacts all but the end. */
async function goOnAndCompact(bench: Bench): Promise<Compaction> {
  for (let n = 0; n < 6; n++)
    await say(bench, 'main', user(`Question ${n}? ${LONG}`), assistant(`Answer ${n}. ${LONG}`));
  await using session = await open(bench, 'main');
  await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 2 } } });
  return (await bench.store.read('main')).findLast(({ body }) => body.kind === 'compaction')!
    .body as Compaction;
}

describe.each(STORES)('after a merge in a $kind store', ({ open: openBench }) => {
  it('a compaction that covers it carries its lines, and not what it dropped', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await mergeTheirs(bench);
    const { summary, covers } = await goOnAndCompact(bench);
    expect(covers.from).toBeLessThan(8);
    expect(texts(summary.decisions)).toContain(FILES);
    expect(texts(summary.decisions)).not.toContain(MAP);
    const { decisions, pending } = await readCheckpoint(bench.store, await infoOf(bench, 'main'));
    expect(texts(decisions)).toContain(FILES);
    expect(texts(decisions)).not.toContain(MAP);
    expect(texts(pending)).toContain(EVICTION);
  });

  it('a compaction of older messages does not bring back lines that the merge dropped', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await mergeTheirs(bench);
    const [said] = await bench.store.read('main', { after: 6, upTo: 7 });
    const lines = [{ text: MAP, from: [said!.id] }];
    for (const covers of [
      { from: 2, to: 7 },
      { from: 2, to: 8 },
    ]) {
      await say(
        bench,
        'main',
        compaction({ covers, summary: { ...summaryOf('A cache'), decisions: lines } }),
      );
      const { decisions } = await readCheckpoint(bench.store, await infoOf(bench, 'main'));
      expect(texts(decisions)).toEqual([FILES]);
    }
    // Said anew, it is decided anew.
    const [again] = await say(bench, 'main', assistant(`Back again: ${MAP}`));
    const summary = { ...summaryOf('Later'), decisions: [{ text: MAP, from: [again!.id] }] };
    await say(bench, 'main', compaction({ covers: { from: again!.seq, to: again!.seq }, summary }));
    const { decisions } = await readCheckpoint(bench.store, await infoOf(bench, 'main'));
    expect(texts(decisions)).toEqual([FILES, MAP]);
  });

  it('expanding that compaction gives the same context as before', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await mergeTheirs(bench);
    for (let n = 0; n < 6; n++)
      await say(bench, 'main', user(`Question ${n}? ${LONG}`), assistant(`Answer ${n}. ${LONG}`));
    const before = await readConversation(bench.store, await infoOf(bench, 'main'));
    await using session = await open(bench, 'main');
    await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 2 } } });
    for (const { id } of await listCompactions(bench.store, session.info))
      await expandCompactions(session, { entry: id });
    const after = await readConversation(bench.store, session.info);
    expect(JSON.stringify(after.frontier)).toBe(JSON.stringify(before.frontier));
  });

  it('the checkpoint has one version more, which can be compared and restored', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await say(
      bench,
      'main',
      compaction({
        covers: { from: 2, to: 7 },
        summary: { ...summaryOf('A cache'), decisions: [{ text: MAP, from: [] }] },
      }),
    );
    await mergeTheirs(bench);
    const info = await infoOf(bench, 'main');
    expect((await checkpointHistory(bench.store, info)).map(({ by }) => by)).toEqual([
      { kind: 'digest' },
      { kind: 'merged', branch: 'disk', head: (await infoOf(bench, 'disk')).head },
    ]);
    const versions = [await checkpointAt(bench.store, info, 1), await checkpointAt(bench.store, info, 2)];
    expect(versions.map(({ decisions }) => texts(decisions))).toEqual([[MAP], [FILES]]);
    await using session = await open(bench, 'main');
    await restoreCheckpoint(session, versions[0]!, { version: 1 });
    expect(await readCheckpoint(bench.store, session.info)).toEqual(versions[0]);
  });

  it('a restored checkpoint that is long is had back whole', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const many = Array.from({ length: 900 }, (_, n) => ({
      text: `Fact number ${n} of the catalogue`,
      from: [],
    }));
    await say(
      bench,
      'main',
      compaction({ covers: { from: 2, to: 7 }, summary: { ...summaryOf('A cache'), facts: many } }),
    );
    const checkpoint = await readCheckpoint(bench.store, await infoOf(bench, 'main'));
    await using session = await open(bench, 'main');
    await restoreCheckpoint(session, checkpoint, { version: 1 });
    expect(await readCheckpoint(bench.store, session.info)).toEqual(checkpoint);
  });

  it('a resumed session starts with the merged lines', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const summary = { ...summaryOf('A cache'), decisions: [{ text: MAP, from: [] }] };
    await say(bench, 'main', compaction({ covers: { from: 1, to: 7 }, summary }));
    await mergeTheirs(bench);
    await using resumed = await resumeSession(bench.store, await infoOf(bench, 'main'), {
      birth: { id: 'next' },
    });
    const [first] = await resumed.read({ limit: 1 });
    expect(first!.body).toMatchObject({
      kind: 'restoration',
      summary: { overview: 'A cache', decisions: [{ text: FILES }] },
    });
  });

  it('the request at every entry has the merges up to it', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const before = (await infoOf(bench, 'main')).head;
    await mergeTheirs(bench);
    const info = await infoOf(bench, 'main');
    const seen = async (at: number) =>
      JSON.stringify((await contextOf(bench.store, info, { budget: { window: 16_000 }, at })).messages);
    expect(await seen(before)).not.toContain(FILES);
    expect(await seen(info.head)).toContain(FILES);
  });

  it('a small window still fits, with the merge in it', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await mergeTheirs(bench);
    await say(bench, 'main', user('What next?'));
    for (const window of [300, 500, 1000, 4000]) {
      const { tokens, reserve } = await contextOf(bench.store, await infoOf(bench, 'main'), {
        budget: { window },
      });
      expect(tokens).toBeLessThanOrEqual(window - reserve);
    }
  });
});
