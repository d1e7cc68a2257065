import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { EntryBody } from '../../record/index.ts';
import { assistant, user } from '../messages.ts';
import { foreign } from '../notes.ts';
import { promise } from './promise.ts';

const HOLOGRAM = foreign('hologram', { depth: 3, layers: [{ z: null }, 'x'], was: 'something', value: 1 });

export const unknownKindPromises = [
  promise('keeps an entry of an unknown kind whole and shows it as unknown', async ({ store }) => {
    await store.create({ id: 's' }, [{ body: HOLOGRAM }]);
    const [entry] = await store.read('s');
    deepEqual(entry?.body, HOLOGRAM);
  }),

  promise('carries it from one store to the next unchanged', async ({ store }) => {
    await store.create({ id: 's' }, [{ body: HOLOGRAM }]);
    const [first] = await store.read('s');
    await store.create({ id: 't' }, [{ id: first!.id, at: first!.at, body: first!.body }]);
    deepEqual(await store.read('t'), [first]);
  }),

  promise('counts it neither as a message nor as tokens', async ({ store, clock }) => {
    await store.create({ id: 's' }, [{ body: user('a') }]);
    const before = (await store.session('s'))!;
    clock.advance(10);
    await store.append('s', [{ body: HOLOGRAM }]);
    const { totals, state, head } = (await store.session('s'))!;
    deepEqual({ totals, state, head }, { totals: before.totals, state: before.state, head: 2 });
  }),

  promise('refuses a misspelt kind, unless it is said to be unknown', async ({ store }) => {
    await store.create({ id: 's' });
    const misspelt = { ...user('a'), kind: 'mesage' } as unknown as EntryBody;
    await rejects(store.append('s', [{ body: misspelt }]), { code: 'entry-invalid' });
    for (const body of [undefined, null, 'message', {}, { kind: 1 }]) {
      await rejects(store.append('s', [{ body: body as unknown as EntryBody }]), { code: 'entry-invalid' });
    }
    equal((await store.session('s'))?.head, 0);
  }),

  promise('refuses to call a kind unknown that is known', async ({ store }) => {
    await store.create({ id: 's' });
    const wrapped = { kind: 'unknown', was: 'message', value: { kind: 'message' } } as const;
    const renamed = { kind: 'unknown', was: 'hologram', value: { kind: 'other' } } as const;
    for (const body of [wrapped, renamed])
      await rejects(store.append('s', [{ body }]), { code: 'entry-invalid' });
  }),

  promise('keeps message parts of unknown types as they came', async ({ store }) => {
    const parts = [{ type: 'scent', notes: ['cedar', 'rain'], strength: 0.5, origin: { lat: 1, lon: -1 } }];
    await store.create({ id: 's' }, [{ body: user(parts) }, { body: assistant('Lovely.') }]);
    const [entry] = await store.read('s');
    deepEqual(entry?.body, user(parts));
  }),
];
