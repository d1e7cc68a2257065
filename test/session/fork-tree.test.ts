import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EntryBody, newEntryId, titleOf } from '../../src/record/index.ts';
import { forkSession } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { assistant, setting, user } from '../../src/testing/index.ts';
import { openFile, STORES } from './stores.ts';

/** A session on paper: all that it sees, copied. */
interface Paper {
  readonly id: string;
  readonly seen: { id: string; body: EntryBody }[];
}

/** Numbers pick among what is there when the step is taken. */
type Step =
  | { readonly fork: number; readonly at: number; readonly by: 'seq' | 'id' }
  | { readonly append: number; readonly bodies: readonly EntryBody[] };

const body: fc.Arbitrary<EntryBody> = fc.oneof(
  fc.string().map((text) => user(text)),
  fc.string().map((text) => assistant(text)),
  fc.constantFrom('one', 'two', 'three').map((title) => setting('title', title)),
  fc.constantFrom('x', 'y').map((tag) => setting('tag', tag)),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ fork: fc.nat(99), at: fc.nat(99), by: fc.constantFrom('seq', 'id') }),
  fc.record({ append: fc.nat(99), bodies: fc.array(body, { minLength: 1, maxLength: 4 }) }),
);

async function take(store: Store, papers: Paper[], step: Step): Promise<void> {
  if ('fork' in step) {
    const parent = papers[step.fork % papers.length]!;
    const seq = step.at % (parent.seen.length + 1);
    const at = (step.by === 'id' && parent.seen[seq - 1]?.id) || seq;
    const info = await forkSession(store, (await store.session(parent.id))!, { at, id: `f${papers.length}` });
    papers.push({ id: info.id, seen: parent.seen.slice(0, seq) });
    return;
  }
  const paper = papers[step.append % papers.length]!;
  const entries = step.bodies.map((body) => ({ id: newEntryId(), body }));
  await store.append(paper.id, entries, { expectedHead: paper.seen.length });
  paper.seen.push(...entries);
}

async function agree(store: Store, { id, seen }: Paper): Promise<void> {
  const entries = await store.read(id);
  expect(entries.map(({ id, seq, body }) => ({ id, seq, body }))).toEqual(
    seen.map(({ id, body }, index) => ({ id, seq: index + 1, body })),
  );
  const info = (await store.session(id))!;
  const last = (name: string) =>
    seen.flatMap(({ body }) => (body.kind === 'setting' && body.name === name ? [String(body.value)] : []));
  const queries = seen.filter(({ body }) => body.kind === 'message' && body.role === 'user');
  expect(info.head).toBe(seen.length);
  expect(info.totals.queries).toBe(queries.length);
  expect(info.state.title?.text).toBe(last('title').at(-1));
  expect(info.state.tags).toEqual([...new Set(last('tag'))]);
  if (!info.state.title && queries.length === 0) expect(titleOf(info.state)).toBe('');
}

describe.each(STORES)('any tree of forks in a $kind store', ({ open }) => {
  it('is as if every fork had copied what it shares', async () => {
    const steps = fc.array(step, { maxLength: 24, size: 'max' });
    const property = fc.asyncProperty(steps, async (steps) => {
      await using bench = await open();
      const { store } = bench;
      await store.create({ id: 'f0' });
      const papers: Paper[] = [{ id: 'f0', seen: [] }];
      for (const step of steps) await take(store, papers, step);
      for (const paper of papers) await agree(store, paper);
      expect((await store.verify()).problems).toEqual([]);
    });
    await fc.assert(property, { numRuns: 25 });
  });
});

describe('any tree of forks in one file', () => {
  it('is the same for every connection, whichever of them made which part of it', async () => {
    const steps = fc.array(fc.tuple(fc.nat(2), step), { maxLength: 24, size: 'max' });
    const property = fc.asyncProperty(steps, async (steps) => {
      await using bench = await openFile({ durability: 'normal' });
      const stores = [bench.store, await bench.connect(), await bench.connect()];
      await bench.store.create({ id: 'f0' });
      const papers: Paper[] = [{ id: 'f0', seen: [] }];
      for (const [connection, step] of steps) await take(stores[connection]!, papers, step);
      for (const store of stores) for (const paper of papers) await agree(store, paper);
      expect((await bench.store.verify()).problems).toEqual([]);
    });
    await fc.assert(property, { numRuns: 25 });
  });
});
