import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listProjects, openProject, placeFolder } from '../../../../src/project/index.ts';
import { isCopyable, type Json, SETTING_FAMILIES, SETTINGS } from '../../../../src/record/index.ts';
import { createMemoryStore, type Store } from '../../../../src/store/index.ts';
import { setting, user } from '../../../../src/testing/index.ts';
import { readThroughline } from '../../../../src/transcripts/formats/throughline/read.ts';
import { writeThroughline } from '../../../../src/transcripts/formats/throughline/write.ts';
import { importFound } from '../../../../src/transcripts/import/import-found.ts';
import { textSource } from '../../../../src/transcripts/source/open-source.ts';
import { anyJson } from '../../../record/arbitraries.ts';
import { exportText, hashes, logOfSession } from '../../transfer.ts';

const FOLDER = '/home/vera/shop';
const NAMES = [...Object.keys(SETTINGS), ...Object.keys(SETTING_FAMILIES).map((prefix) => `${prefix}x`)];

const anySettings = fc.array(
  fc.tuple(fc.constantFrom(...NAMES, 'mine', '__proto__'), anyJson as fc.Arbitrary<Json>),
  { minLength: 1, maxLength: 10 },
);

/** A copy of a session that has these settings, as another machine may write one. */
async function copyWith(settings: readonly (readonly [string, Json])[]): Promise<string> {
  const store = createMemoryStore();
  const said = [{ body: user('one') }, ...settings.map(([name, value]) => ({ body: setting(name, value) }))];
  await store.create({ id: 's', createdAt: 5 }, [...said, { body: user('two') }]);
  return exportText(store, 's', writeThroughline);
}

function importCopy(store: Store, text: string, { trusted }: { trusted?: boolean } = {}) {
  const source = textSource(text, { changedAt: 1, name: 'copy' });
  const how = { format: 'throughline', file: 'copy', ...(trusted !== undefined && { trusted }) };
  return importFound(store, readThroughline(source), how);
}

/** The memory of a project in a folder, of a store elsewhere. */
async function memoryOf(folder: string): Promise<{ store: Store; id: string; text: string }> {
  const store = createMemoryStore();
  const { project } = await placeFolder(store, folder);
  const { id } = await openProject(store, project);
  return { store, id, text: await exportText(store, id, writeThroughline) };
}

describe('the settings in a copy that its owner does not vouch for', () => {
  it('are those that copies may bring; the others are shown in their place, and counted', async () => {
    await fc.assert(
      fc.asyncProperty(anySettings, async (settings) => {
        const text = await copyWith(settings);
        const store = createMemoryStore();
        const [report] = await importCopy(store, text);
        const ours = settings.filter(([name, value]) => !isCopyable(name, value));
        const log = await logOfSession(store, 's');
        const taken = log.flatMap(({ body }) => (body.kind === 'setting' ? [body.name] : []));
        expect(taken).toEqual(settings.flatMap(([name, value]) => (isCopyable(name, value) ? [name] : [])));
        const shown = log.flatMap(({ body }) => (body.kind === 'unknown' ? [body.value] : []));
        expect(shown).toMatchObject(ours.map(([name]) => ({ kind: 'setting-left-out', name, by: 'user' })));
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
        const counts = Object.values(report!.settingsLeftOut ?? {});
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ours.length);
        expect(report!.damage).toBe(0);

        const before = await hashes(store);
        const again = await importCopy(store, text);
        expect(again[0]).toMatchObject({ added: 0 });
        expect(await hashes(store)).toEqual(before);
      }),
      { numRuns: 100 },
    );
  });

  it('give a copy no place among the projects, and no folder', async () => {
    const { id, text } = await memoryOf(FOLDER);
    const store = createMemoryStore();
    const [report] = await importCopy(store, text);
    expect(report).toMatchObject({ id, settingsLeftOut: { reserved: 1, 'folder:': 1 } });
    expect(await listProjects(store)).toEqual([]);
  });

  it('add nothing to the memory of a project that is here, whatever ids the copy has', async () => {
    const { store, id, text } = await memoryOf(FOLDER);
    const before = (await hashes(store))[id];
    const forged = text.replace(/\{"end".*\n/, (end) => {
      const body = { kind: 'fact', op: 'add', text: 'forged' };
      const entry = { id: '0198c0de-0000-7000-8000-000000000001', seq: 99, at: 1, body };
      return `${JSON.stringify({ entry })}\n${end}`;
    });
    const [report] = await importCopy(store, forged);
    expect(report!.id).not.toBe(id);
    expect((await hashes(store))[id]).toBe(before);
    expect((await listProjects(store)).map((project) => project.id)).toEqual([id]);
  });

  it('are the same as those of the session that the copy was made of, and that is said to lack nothing', async () => {
    const store = createMemoryStore();
    await store.create({ id: 's', createdAt: 5 }, [
      { body: user('one') },
      { body: setting('windows', [{ model: 'm', declared: 10, window: 5, at: 1 }]) },
    ]);
    const before = await hashes(store);
    const [report] = await importCopy(store, await exportText(store, 's', writeThroughline));
    expect(report).toMatchObject({ added: 0 });
    expect(report).not.toHaveProperty('settingsLeftOut');
    expect(await hashes(store)).toEqual(before);
  });
});

describe('the settings in a copy that its owner vouches for', () => {
  it('are all there, to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(anySettings, async (settings) => {
        const text = await copyWith(settings);
        const store = createMemoryStore();
        const [report] = await importCopy(store, text, { trusted: true });
        expect(report).not.toHaveProperty('settingsLeftOut');
        expect(await exportText(store, 's', writeThroughline)).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it('are set after an import that left them out, once', async () => {
    const { id, text } = await memoryOf(FOLDER);
    const store = createMemoryStore();
    await importCopy(store, text);
    const [report] = await importCopy(store, text, { trusted: true });
    expect(report).toMatchObject({ id, added: 2 });
    const { project } = await placeFolder(store, FOLDER);
    expect(project).toMatchObject({ id, known: true });
    const [again] = await importCopy(store, text, { trusted: true });
    expect(again).toMatchObject({ added: 0 });
  });

  it('take no folder from a project that is here', async () => {
    const { text } = await memoryOf(FOLDER);
    const store = createMemoryStore();
    // The project here has its folder under another id.
    await store.create({ id: 'here' }, [
      { body: setting('reserved', 'memory') },
      { body: setting(`folder:${FOLDER}`, { linkedAt: 1 }) },
    ]);
    const [report] = await importCopy(store, text, { trusted: true });
    expect(report!.settingsLeftOut).toEqual({ 'folder:': 1 });
    expect((await placeFolder(store, FOLDER)).project.id).toBe('here');
    const { project } = await placeFolder(store, FOLDER);
    expect((await openProject(store, project)).id).toBe('here');
  });
});
