import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSession, forkSession, getSession } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { freeSalvageId } from '../../src/store/sqlite/salvage/plan-sessions.ts';
import { findFiles, importFile } from '../../src/transcripts/index.ts';
import { openWork } from '../../src/work/index.ts';
import { branched, createFile, SESSION } from '../transcripts/formats/claude-code/lines.ts';
import { tempFolder } from './child.ts';

// Names that are starts of each other on purpose: features, tasks, states and hosts share a few letters.
const word = fc.constantFrom('a', 'a_b', 'a_b_c', 'ab', 'dev', 'work', 'qa');
const hostId = fc.oneof(
  word,
  fc.constantFrom('d', 'dev_a', 'pm_a_', 'claude-code', 'work_', 'f', '0'),
  fc.nat(15).map((digit) => digit.toString(16)),
  fc.nat(SESSION.length - 1).map((length) => SESSION.slice(0, length + 1).replace(/-$/, '')),
);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('work' as const), feature: word, task: fc.option(word) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('go-on' as const), feature: word, task: fc.option(word) }),
  },
  fc.record({ does: fc.constant('host' as const), id: hostId }),
  fc.record({ does: fc.constantFrom('fork' as const, 'purge' as const), at: fc.nat(30) }),
  fc.record({ does: fc.constant('import' as const), odd: fc.boolean() }),
);

async function idsIn(store: Store): Promise<string[]> {
  const places = ['active', 'archived', 'trashed', 'memory'] as const;
  const pages = await Promise.all(places.map((place) => store.list({ place, limit: 500 })));
  return pages.flatMap(({ sessions }) => sessions.map(({ id }) => id));
}

it('no id that this package derives starts another one or is started by one, whatever hosts call their sessions', async () => {
  using folder = tempFolder();
  const files = {
    tree: folder.file('tree.jsonl'),
    odd: folder.file('odd.jsonl'),
  };
  writeFileSync(files.tree, branched());
  const file = createFile({ session: 'a/b: not an id' });
  file.prompt('hello');
  writeFileSync(files.odd, file.text());

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const store = createMemoryStore();
      const work = await openWork(store, { folder: path.dirname(files.tree) });
      const ever = new Set<string>();
      for (const one of steps) {
        const given = new Set<string>([SESSION]);
        if (one.does === 'work' || one.does === 'go-on') {
          await work.setFeature(one.feature);
          if (one.task !== null) await work.setTask(one.feature, one.task);
          const place = [
            one.task === null ? 'pm-feature' : 'dev-task',
            one.feature,
            one.task ?? undefined,
          ] as const;
          const id =
            one.does === 'work'
              ? await work.createSession(...place)
              : await work.getOrCreateSession(...place);
          if (one.does === 'go-on') expect(await work.getOrCreateSession(...place)).toBe(id);
          else expect(ever.has(id)).toBe(false);
        } else if (one.does === 'host') {
          given.add(one.id);
          if (!ever.has(one.id)) await store.create({ id: one.id });
        } else if (one.does === 'import') {
          for await (const found of findFiles([one.odd ? files.odd : files.tree])) {
            const first = await importFile(store, found);
            const again = await importFile(store, found);
            expect(again.reports.map(({ id, added }) => [id, added])).toEqual(
              first.reports.map(({ id }) => [id, 0]),
            );
          }
        } else {
          const { sessions } = await store.list({ limit: 500 });
          const meant = sessions[one.at % Math.max(1, sessions.length)];
          if (meant && one.does === 'fork') await forkSession(store, await getSession(store, meant.id));
          const forked = meant && (await store.list({ parent: meant.id, limit: 1 })).sessions.length > 0;
          if (meant && one.does === 'purge' && !forked) await store.purge(meant.id);
        }
        const made = (await idsIn(store)).filter((id) => !ever.has(id));
        for (const id of made) ever.add(id);
        const clashes = made
          .filter((id) => !given.has(id))
          .flatMap((id) =>
            [...ever]
              .filter((other) => other !== id && (other.startsWith(id) || id.startsWith(other)))
              .map((other) => [id, other]),
          );
        expect(clashes).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
}, 120_000);

it('no id that a salvage makes starts another one or is started by one', () => {
  const taken = fc.uniqueArray(
    fc.oneof(
      fc.nat(300).map((key) => `salvaged_${key}`),
      word,
      fc.constant('s'),
    ),
  );
  fc.assert(
    fc.property(taken, fc.array(fc.nat(300), { maxLength: 40 }), (others, keys) => {
      const all = [...others];
      for (const key of keys) {
        const id = freeSalvageId(`salvaged_${key}`, all);
        expect(all.filter((other) => other.startsWith(id) || id.startsWith(other))).toEqual([]);
        all.push(id);
      }
    }),
  );
});

it('a board and work sessions under the names of older versions are gone on with', async () => {
  using folder = tempFolder();
  const store = createMemoryStore();
  const before = await openWork(store, { folder: path.dirname(folder.file('x')) });
  await before.setFeature('auth');
  await before.setTask('auth', 'login');
  const made = await before.createSession('dev-task', 'auth', 'login');
  const { project, id: board } = before.place;

  const older = createMemoryStore();
  for (const id of [project.id, board!, made]) {
    const entries = (await store.read(id)).map(({ at, body }) => ({ at, body: renamed(body) }));
    await older.create({ id: nameBefore(id) }, entries);
  }
  const now = await openWork(older, { folder: path.dirname(folder.file('x')) });
  expect(now.place.id).toBe(`${project.id}_work`);
  expect(await now.getOrCreateSession('dev-task', 'auth', 'login')).toBe(`${made}_2`);
  await now.setFeature('more');
  expect((await idsIn(older)).toSorted()).toEqual([project.id, `${project.id}_work`, `${made}_2`].toSorted());

  function nameBefore(id: string): string {
    return id === board ? `${project.id}_work` : id === made ? `${made}_2` : id;
  }
  function renamed<T>(body: T): T {
    const json = JSON.stringify(body);
    return JSON.parse(
      json
        .replaceAll(`"${board}"`, `"${nameBefore(board!)}"`)
        .replaceAll(`"${made}"`, `"${nameBefore(made)}"`),
    );
  }
});

it('a session that a host gives an id has exactly that id, also if another one starts it', async () => {
  const store = createMemoryStore();
  for (const id of ['user', 'user-1', 'user-12', 'u'])
    expect((await createSession(store, { id }, { mode: 'join' })).id).toBe(id);
});
