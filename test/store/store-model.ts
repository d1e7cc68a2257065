import fc from 'fast-check';
import { expect } from 'vitest';
import { PLACES } from '../../src/record/index.ts';
import { type Store, wholeBody } from '../../src/store/index.ts';
import { anyStep, type Model, takeStep } from './model-steps.ts';
import {
  givenTitle,
  messagesIn,
  type NaiveSession,
  newestFirst,
  pinnedIn,
  placeOf,
  rootsIn,
  settingOf,
  spentBy,
  tagsOf,
  updatedAt,
  visible,
} from './naive-session.ts';

export interface ModelPlace {
  /** Opens the store of a run; the same number opens the same data again, if the store can do that. */
  open(run: number): Promise<Store>;
  readonly reopenable: boolean;
}

/** Any sequence of calls leaves the store and a naive model in agreement, and a rebuild changes nothing. */
export async function checkStoreModel(
  { open, reopenable }: ModelPlace,
  { runs = 100 }: { runs?: number } = {},
): Promise<void> {
  let run = 0;
  const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 30, size: 'max' }), async (steps) => {
    const place = ++run;
    const model: Model = { sessions: new Map(), purged: new Set(), created: 0 };
    let store = await open(place);
    try {
      for (const step of steps) {
        if (step.do !== 'reopen') await takeStep(store, model, step);
        else if (reopenable) {
          await store[Symbol.asyncDispose]();
          store = await open(place);
        }
      }
      await agree(store, model);
      expect((await store.rebuild()).changed).toEqual([]);
      await agree(store, model);
    } finally {
      await store[Symbol.asyncDispose]();
    }
  });
  await fc.assert(property, { numRuns: runs });
}

async function agree(store: Store, model: Model): Promise<void> {
  for (const session of model.sessions.values()) {
    await agreeOnLog(store, session);
    await agreeOnInfo(store, session);
  }
  for (const id of model.purged) {
    expect(await store.session(id)).toBeUndefined();
    await expect(store.create({ id })).rejects.toMatchObject({ code: 'session-gone' });
  }
  await agreeOnLists(store, model);
  const sessions = [...model.sessions.values()];
  expect(await store.verify()).toEqual({
    stored: sessions.length,
    listed: sessions.length,
    entries: sessions.reduce((sum, { own }) => sum + own.length, 0),
    blobs: expect.any(Number),
    problems: [],
  });
}

async function agreeOnLog(store: Store, session: NaiveSession): Promise<void> {
  const entries = await store.read(session.id);
  const whole = entries.map(async ({ id, seq, at, body }) => {
    return { id, seq, at, body: await wholeBody(body, (hash) => store.blob(hash)) };
  });
  expect(await Promise.all(whole)).toStrictEqual(
    visible(session).map(({ id, at, body }, index) => ({ id, seq: index + 1, at, body })),
  );
  const middle = Math.floor(entries.length / 2);
  expect(await store.read(session.id, { after: middle, order: 'newest-first', limit: 3 })).toEqual(
    entries.slice(middle).reverse().slice(0, 3),
  );
  expect(await store.read(session.id, { only: 'messages', upTo: middle })).toEqual(
    entries.slice(0, middle).filter(({ body }) => body.kind === 'message'),
  );
  for (const entry of entries) expect(await store.entry(session.id, entry.id)).toEqual(entry);
}

async function agreeOnInfo(store: Store, session: NaiveSession): Promise<void> {
  const all = visible(session);
  const messages = messagesIn(all);
  const entries = await store.read(session.id, { only: 'messages' });
  const info = (await store.session(session.id))!;
  const { id, parent, createdAt, head, usage, totals, state } = info;
  expect({ id, parent, createdAt, updatedAt: info.updatedAt, head, usage, totals }).toEqual({
    id: session.id,
    parent: session.parent,
    createdAt: session.createdAt,
    updatedAt: updatedAt(session),
    head: all.length,
    usage: spentBy(session),
    totals: {
      messages: messages.length,
      queries: messages.filter(({ body }) => body.kind === 'message' && body.role === 'user').length,
      tokens: entries.reduce((sum, { tokens }) => sum + tokens, 0),
    },
  });
  expect({
    title: state.title?.text,
    tags: state.tags,
    other: state.settings.other,
    pinned: state.pinned.map((target) => JSON.stringify(target)),
    roots: state.roots.map(({ seq }) => seq),
  }).toEqual({
    title: givenTitle(session),
    tags: tagsOf(session),
    other: settingOf(session, 'other'),
    pinned: pinnedIn(all),
    roots: rootsIn(all),
  });
}

async function agreeOnLists(store: Store, { sessions }: Model): Promise<void> {
  const sorted = [...sessions.values()].sort(newestFirst);
  const ids = (those: readonly { id: string }[]) => those.map(({ id }) => id);
  for (const place of PLACES) {
    const there = sorted.filter((session) => placeOf(session) === place);
    expect(await pageThrough(store, { place })).toEqual(ids(there));
    expect((await store.count())[place]).toBe(there.length);
    for (const name of ['a', 'Größe']) {
      expect(await pageThrough(store, { place, tag: name })).toEqual(
        ids(there.filter((session) => tagsOf(session).includes(name))),
      );
      expect(await pageThrough(store, { place, project: name })).toEqual(
        ids(there.filter((session) => settingOf(session, 'project') === name)),
      );
    }
  }
  for (const parent of sessions.keys()) {
    const children = sorted.filter((session) => session.parent?.session === parent);
    expect(await pageThrough(store, { parent })).toEqual(ids(children));
  }
  const found = await store.find('GRÖSSE'.replace('SS', 'ß'), { limit: 100 });
  const titled = ids(sorted.filter((session) => givenTitle(session) === 'Größe'));
  expect(ids(found.filter(({ state }) => state.title !== undefined))).toEqual(titled);
}

async function pageThrough(
  store: Store,
  query: Omit<Parameters<Store['list']>[0], 'limit'>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let page = await store.list({ ...query, limit: 2 }); ; ) {
    ids.push(...page.sessions.map(({ id }) => id));
    if (page.cursor === undefined) return ids;
    page = await store.list({ ...query, limit: 2, cursor: page.cursor });
  }
}
