import fc from 'fast-check';
import { expect, it } from 'vitest';
import { METHODS } from '../../../src/faces/rpc/methods/index.ts';
import {
  isOwnSetting,
  type Json,
  SETTING_FAMILIES,
  SETTINGS,
  shownSettings,
} from '../../../src/record/index.ts';
import { anyJson, anyText } from '../../record/arbitraries.ts';
import { TRANSPORTS } from './transports.ts';

/** A value that looks like a reference to a blob stands in a blob itself; the state has the reference. */
const anyValue = (anyJson as fc.Arbitrary<Json>).filter((value) => !JSON.stringify(value).includes('$blob'));

const anyName = fc.oneof(
  fc.constantFrom(...Object.keys(SETTINGS)),
  fc.tuple(fc.constantFrom(...Object.keys(SETTING_FAMILIES)), anyText).map(([prefix, rest]) => prefix + rest),
  fc.constantFrom('name', 'budget', 'constructor', 'toString', 'Reserved', 'folder'),
  fc.string({ minLength: 1 }),
);
const anySettings = fc.dictionary(anyName, anyValue, { minKeys: 1, maxKeys: 4 });

it("a host's settings over RPC are kept and change nothing; a name of ours is refused and sets nothing", async () => {
  await using line = await TRANSPORTS.stdio();
  const { client, store } = line;
  await fc.assert(
    fc.asyncProperty(anySettings, async (settings) => {
      const { session } = await client.call('chat/session/create', {});
      const before = (await store.session(session.id))!;
      const update = client.call('chat/session/update', { sessionId: session.id, settings });
      const taken = Object.keys(settings).some(isOwnSetting);
      if (taken) {
        await expect(update).rejects.toMatchObject({ code: 'usage' });
        expect(await store.session(session.id)).toEqual(before);
        await expect(client.call('chat/session/create', { settings })).rejects.toMatchObject({
          code: 'usage',
        });
        return;
      }
      const { session: shown } = await update;
      expect({ ...shown, head: session.head, settings: {} }).toEqual(session);
      const given = Object.entries(settings).filter(([, value]) => value !== null);
      const kept = shownSettings((await store.session(session.id))!.state);
      expect(kept).toEqual({ ...before.state.settings, ...Object.fromEntries(given) });
    }),
    { numRuns: 60 },
  );
});

it.each(['chat/session/create', 'chat/session/update', 'chat/session/open', 'ai/session/create'] as const)(
  '%s has no field for a setting that the package alone may set',
  (method) => {
    const fields = Object.keys(METHODS[method].params.shape);
    const closed = Object.entries(SETTINGS).filter(
      ([, { from }]) => !(from as readonly string[]).includes('host'),
    );
    expect(fields.filter((field) => closed.some(([name]) => name === field))).toEqual([]);
  },
);
