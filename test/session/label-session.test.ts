import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOf, titleOf } from '../../src/record/index.ts';
import {
  createSession,
  forkSession,
  hideSession,
  type Labels,
  labelSession,
  restoreSession,
  resumeSession,
  tagSession,
  titleSession,
  trashSession,
  untagSession,
} from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { compaction, conversation, summaryOf, user } from '../../src/testing/index.ts';
import { STORES, said } from './stores.ts';

async function stateOf(store: Store, id = 's') {
  return (await store.session(id))!.state;
}

async function titleIn(store: Store, id = 's'): Promise<string> {
  return titleOf(await stateOf(store, id));
}

describe.each(STORES)('the title of a session in a $kind store', ({ open }) => {
  it('is the first question until a title is set, and again when that is taken away', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' }, conversation(user('How does it work?')));
    expect(await titleIn(store)).toBe('How does it work?');
    await titleSession(store, 's', 'Inner workings');
    expect(await titleIn(store)).toBe('Inner workings');
    await titleSession(store, 's', '');
    expect(await titleIn(store)).toBe('How does it work?');
  });

  it.each(['host', 'auto'] as const)('is never changed by the %s once a person gave it', async (by) => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' });
    await titleSession(store, 's', 'Made up', { by });
    expect(await titleIn(store)).toBe('Made up');
    await titleSession(store, 's', 'Mine');
    await titleSession(store, 's', 'Made up again', { by });
    await titleSession(store, 's', '', { by });
    expect(await titleIn(store)).toBe('Mine');
    await titleSession(store, 's', '');
    await titleSession(store, 's', 'Made up at last', { by });
    expect(await titleIn(store)).toBe('Made up at last');
  });

  it('sticks through compaction, fork, resumption and rebuild, and can be found by it', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 's' });
    await session.append([user('question')]);
    await titleSession(store, 's', 'Mine');
    await tagSession(store, 's', 'x');
    await session.append([compaction({ covers: { from: 1, to: 1 } })]);
    const fork = await forkSession(store, session.info, { id: 'f' });
    await using next = await resumeSession(store, session.info, {
      summary: summaryOf('s'),
      birth: { id: 'r' },
    });
    expect((await store.rebuild()).changed).toEqual([]);
    for (const id of ['s', fork.id, next.id]) {
      await titleSession(store, id, 'Automatic', { by: 'auto' });
      const title = id === next.id ? 'Mine (2)' : 'Mine';
      expect([await titleIn(store, id), (await stateOf(store, id)).tags]).toEqual([title, ['x']]);
    }
    expect((await store.find('mine', { limit: 9 })).map(({ id }) => id).sort()).toEqual(['f', 's']);
    expect((await store.find('mine (2)', { limit: 9 })).map(({ id }) => id)).toEqual(['r']);
    expect((await store.list({ tag: 'x', limit: 9 })).sessions).toHaveLength(3);
  });

  it.each(['\0', '\ud800', '"; drop table sessions; --', '\n', 'e\u0301', '💥'.repeat(5000)])(
    'may be anything and comes back as it was given: %j',
    async (title) => {
      await using bench = await open();
      const { store } = bench;
      await store.create({ id: 's' });
      await titleSession(store, 's', title);
      await tagSession(store, 's', title);
      expect(await titleIn(store)).toBe(title);
      expect((await stateOf(store)).tags).toEqual([title]);
      expect((await store.list({ tag: title, limit: 2 })).sessions).toHaveLength(1);
      expect((await store.verify()).problems).toEqual([]);
    },
  );
});

describe.each(STORES)('labels in a $kind store', ({ open }) => {
  it('are put on and taken off many at a time, each once', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' });
    await tagSession(store, 's', 'x', 'y', 'x', 'z', '');
    expect((await stateOf(store)).tags).toEqual(['x', 'y', 'z']);
    await untagSession(store, 's', 'x', 'nothing', 'z');
    expect((await stateOf(store)).tags).toEqual(['y']);
    await tagSession(store, 's');
    expect((await store.session('s'))!.head).toBe(8);
  });

  it('that look alike once written are still two, and verify', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' });
    await tagSession(store, 's', '\ud800', '\ud801', '\ufffd');
    expect((await stateOf(store)).tags).toHaveLength(3);
    expect((await store.verify()).problems).toEqual([]);
    expect((await store.rebuild()).changed).toEqual([]);
    await untagSession(store, 's', '\ud801');
    expect((await store.list({ tag: '\ud800', limit: 2 })).sessions).toHaveLength(1);
    expect((await store.verify()).problems).toEqual([]);
  });

  it('can be changed while another process writes, and do not move the session up the list', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    await using session = await createSession(store, { id: 's' });
    await session.append([user('a')]);
    const { updatedAt } = (await store.session('s'))!;
    clock.advance(5000);
    await tagSession(store, 's', 'x');
    await titleSession(store, 's', 'T');
    await hideSession(store, 's');
    expect((await store.session('s'))!.updatedAt).toBe(updatedAt);
    await session.append([user('b')]);
    expect(said(await session.read({ only: 'messages' }))).toEqual(['a', 'b']);
  });

  it('archive, trash and restore without touching anything said', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    await store.create({ id: 's' }, conversation(user('a')));
    await hideSession(store, 's');
    expect(placeOf(await stateOf(store))).toBe('archived');
    await trashSession(store, 's');
    expect(await stateOf(store)).toMatchObject({ trashedAt: clock.now(), archived: true });
    expect(await store.count()).toEqual({ active: 0, archived: 0, trashed: 1 });
    await restoreSession(store, 's');
    expect(placeOf(await stateOf(store))).toBe('active');
    expect(said(await store.read('s', { only: 'messages' }))).toEqual(['a']);
  });

  it.each([titleSession, tagSession, untagSession])('need a session that is there: %o', async (label) => {
    await using bench = await open();
    await expect(label(bench.store, 'nowhere', 'x')).rejects.toMatchObject({ code: 'session-not-found' });
  });
});

const TAGS = ['a', 'b', 'c'];

const anyLabels: fc.Arbitrary<Labels> = fc.record(
  {
    title: fc.constantFrom('', 'Plan', 'Plan B'),
    addTags: fc.uniqueArray(fc.constantFrom(...TAGS)),
    place: fc.constantFrom('active', 'archived', 'trashed'),
    project: fc.constantFrom('shop', 'bank'),
    settings: fc.constantFrom({}, { theme: 'dark' }, { theme: null }),
  },
  { requiredKeys: [] },
);

it('has the labels it was given, and a label that it has already is not written again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyLabels, { maxLength: 8 }), async (changes) => {
      const store = createMemoryStore();
      await store.create({ id: 's' });
      for (const labels of changes) {
        await labelSession(store, (await store.session('s'))!, labels);
        const { head, state } = (await store.session('s'))!;
        const { place, title, project, addTags = [] } = labels;
        if (place !== undefined) expect(placeOf(state)).toBe(place);
        if (title !== undefined) expect(titleOf(state)).toBe(title);
        if (project !== undefined) expect(state.settings.project).toBe(project);
        expect(state.tags).toEqual(expect.arrayContaining([...addTags]));
        await labelSession(store, { id: 's', state }, { addTags, ...(place && { place }) });
        expect((await store.session('s'))!.head).toBe(head);
        const removeTags = TAGS.filter((tag) => !addTags.includes(tag));
        await labelSession(store, { id: 's', state }, { removeTags });
        expect((await stateOf(store)).tags.toSorted()).toEqual(addTags.toSorted());
      }
    }),
    { numRuns: 50 },
  );
});
