import { describe, expect, it } from 'vitest';
import { createCall } from '../../../src/faces/rpc/call.ts';
import { dispatch } from '../../../src/faces/rpc/dispatch/dispatch.ts';
import { createLanes } from '../../../src/faces/rpc/dispatch/lanes.ts';
import { createService } from '../../../src/faces/rpc/service.ts';
import { type Access, OWNER } from '../../../src/operations/index.ts';
import { getSession, purgeSession, trashSession } from '../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { setting, user } from '../../../src/testing/index.ts';

const ANN: Access = { user: 'ann', mayWrite: true, projects: ['shop'] };

describe('session/find', () => {
  async function asked(store: Store, access: Access, params: object) {
    await using service = createService({ store, env: {}, checkResults: true });
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/find', params });
    const answer = (await dispatch(text, createCall(service, access), createLanes()))!;
    const { result } = JSON.parse(answer) as {
      result: { match: string | null; more: boolean; candidates: { id: string; by: string }[] };
    };
    return { ...result, candidates: result.candidates.map(({ id, by }) => `${by} ${id}`) };
  }

  async function library(): Promise<Store> {
    const store = createMemoryStore();
    const titles = { user_ann: 'user_bob', user_bob: undefined, note_1: 'Docs', note_2: 'docs', other: '2' };
    for (const [id, title] of Object.entries(titles)) {
      const project = id.startsWith('note') ? 'shop' : 'bank';
      await store.create({ id });
      const settings = [setting('project', project), ...(title ? [setting('title', title)] : [])];
      await store.append(
        id,
        [...settings, user(`Question of ${id}`)].map((body) => ({ body })),
      );
    }
    return store;
  }

  it.each([
    { text: 'user_bob', match: 'user_bob', candidates: ['id user_bob'], why: 'an exact id stands alone' },
    { text: 'user_a', match: 'user_ann', candidates: ['prefix user_ann'], why: 'one id begins so' },
    { text: 'DOCS', match: null, candidates: ['title note_2', 'title note_1'], why: 'two are called so' },
    {
      text: 'Question of user_bob',
      match: 'user_bob',
      candidates: ['title user_bob'],
      why: 'it asks so first',
    },
    { text: '1', list: ['note_2'], match: 'note_2', candidates: ['number note_2'], why: 'it is on the line' },
    {
      text: '2',
      list: ['x', 'note_2'],
      match: null,
      candidates: ['number note_2', 'title other'],
      why: 'both',
    },
    { text: '3', list: ['note_2'], match: null, candidates: [], why: 'a number is no start of an id' },
    { text: 'user', limit: 1, match: null, candidates: ['prefix user_bob'], more: true, why: 'two begin so' },
  ])(
    '$text finds $candidates, because $why',
    async ({ why: _, match, candidates, more = false, ...params }) => {
      const store = await library();
      expect(await asked(store, OWNER, params)).toEqual({ match, candidates, more });
    },
  );

  it('looks into the trash only when asked to, save for an exact id', async () => {
    const store = await library();
    await trashSession(store, 'user_ann');
    expect((await asked(store, OWNER, { text: 'user_a' })).match).toBeNull();
    expect((await asked(store, OWNER, { text: 'user_a', trashed: true })).match).toBe('user_ann');
    expect((await asked(store, OWNER, { text: 'user_ann' })).match).toBe('user_ann');
  });

  it('answers a token of one project as if there were nothing else', async () => {
    const whole = await library();
    const shop = createMemoryStore();
    for (const id of ['note_1', 'note_2']) {
      await shop.create({ id });
      await shop.append(id, await whole.read(id));
    }
    for (const text of [
      'user_bob',
      'user_a',
      'DOCS',
      'note_1',
      'note',
      'Question of user_bob',
      '1',
      '2',
      'u',
    ])
      for (const list of [undefined, ['user_ann', 'note_1']])
        for (const limit of [1, 10]) {
          const params = { text, limit, ...(list && { list }) };
          expect(await asked(whole, ANN, params), text).toEqual(await asked(shop, ANN, params));
        }
  });

  it('gives no candidate for a purged id, and tells a token of one project nothing of it', async () => {
    const store = await library();
    await store.create({ id: 'note' });
    await store.append('other', [{ body: setting('title', 'note') }]);
    await trashSession(store, 'note');
    await purgeSession(store, await getSession(store, 'note'));
    expect((await asked(store, OWNER, { text: 'note' })).candidates).toEqual([]);
    expect(await asked(store, ANN, { text: 'note' })).toEqual(
      await asked(await library(), ANN, { text: 'note' }),
    );
  });

  it('finds no log of a project', async () => {
    const store = createMemoryStore();
    await store.create({ id: 'shop_memory' });
    await store.append('shop_memory', [{ body: setting('reserved', 'memory') }]);
    for (const text of ['shop', 'shop_memory'])
      expect(await asked(store, OWNER, { text })).toEqual({ match: null, candidates: [], more: false });
  });
});
