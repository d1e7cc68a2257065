import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runTurn } from '../../src/agent/index.ts';
import { type Json, SETTING_FAMILIES, SETTINGS, shownSettings } from '../../src/record/index.ts';
import { createSession, describeSession, openSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { setting, user } from '../../src/testing/index.ts';
import { anyJson } from '../record/arbitraries.ts';
import { scriptedModel } from './scripted-model.ts';

/** A value that looks like a reference to a blob stands in a blob itself; the state has the reference. */
const anyValue = (anyJson as fc.Arbitrary<Json>).filter((value) => !JSON.stringify(value).includes('$blob'));

const DEFINITIONS = Object.entries({ ...SETTINGS, ...SETTING_FAMILIES }).map(
  ([name, { schema }]) => [name.endsWith(':') ? `${name}x` : name, schema] as const,
);

/** For every name of ours a value that does not fit it. */
const anyGarbage = fc.tuple(
  ...DEFINITIONS.map(([name, schema]) =>
    anyValue
      .filter((value) => value !== null && !schema.safeParse(value).success)
      .map((value) => [name, value] as const),
  ),
);

/** The request of a turn in a session with these settings, and the session. */
async function ask(settings: readonly (readonly [string, Json])[]) {
  const store = createMemoryStore();
  const at = Date.UTC(2026, 0, 1);
  {
    await using made = await createSession(store, { id: 's', agent: 'sally' }, { now: () => at });
    await made.append([user('First.')]);
  }
  await store.append(
    's',
    settings.map(([name, value]) => ({ at, body: setting(name, value, 'host') })),
  );
  const model = scriptedModel([{ text: 'Answer.' }]);
  await using session = await openSession(store, 's');
  const { status } = await runTurn(session, 'Second.', { model });
  const { prompt, tools } = model.requests[0]!;
  return { status, sent: { prompt, tools }, info: (await store.session('s'))! };
}

it('a log with garbage for every setting opens, shows it, and runs a turn that is sent as without it', async () => {
  const clean = await ask([]);
  await fc.assert(
    fc.asyncProperty(anyGarbage, async (garbage) => {
      const { status, sent, info } = await ask(garbage);
      expect(status).toBe(clean.status);
      expect(sent).toEqual(clean.sent);
      const { title, tags, archived, trashedAt, settings } = info.state;
      expect({ title, tags, archived, trashedAt, settings }).toEqual({
        title: undefined,
        tags: [],
        archived: false,
        trashedAt: undefined,
        settings: {},
      });
      expect(describeSession(info)).toMatchObject({ agent: null, project: null, title: 'First.' });
      const labels = ['archived', 'tag', 'title', 'trashed', 'untag'];
      const shown = garbage.filter(([name]) => !labels.includes(name));
      expect(shownSettings(info.state)).toEqual(Object.fromEntries(shown));
    }),
    { numRuns: 15 },
  );
});
