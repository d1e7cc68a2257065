import { mkdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Access, createAppOperation, perform } from '../../../src/operations/index.ts';
import { listSessionsOperation } from '../../../src/operations/session/index.ts';
import { findProject, linkFolder, linkLabel } from '../../../src/project/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { makeRepository } from '../../work/workshop.ts';
import { TRANSPORTS } from './transports.ts';

const folders = makeRepository();
afterAll(() => folders[Symbol.dispose]());

describe('the list of a project', () => {
  const store = createMemoryStore();
  const sub = path.join(folders.path, 'src', 'deep');
  let line: Awaited<ReturnType<typeof TRANSPORTS.stdio>>;
  let id: string;

  beforeAll(async () => {
    mkdirSync(sub, { recursive: true });
    line = await TRANSPORTS.stdio({ store });
    const { client } = line;
    await client.call('chat/session/create', { id: 'by-label', project: 'shop' });
    id = (await client.call('memory/add', { project: 'shop', text: 'The port is 8000.' })).project.id;
    const project = await findProject(store, id);
    await linkFolder(store, project, folders.path);
    await linkLabel(store, await findProject(store, id), 'the-shop');
    await client.call('chat/session/create', { id: 'by-id', project: id });
    await client.call('chat/session/create', { id: 'by-folder', project: folders.path });
    await client.call('chat/session/create', { id: 'by-subfolder', project: sub });
    await client.call('chat/session/create', { id: 'by-other-label', project: 'the-shop' });
    await client.call('chat/session/create', { id: 'of-another', project: 'bank' });
    await client.call('chat/session/create', { id: 'of-nobody' });
  });
  afterAll(() => line[Symbol.asyncDispose]());

  const listed = async (project: string) =>
    (await line.client.call('chat/session/list', { project })).sessions.map((session) => session.id).sort();
  const ALL = ['by-folder', 'by-id', 'by-label', 'by-other-label', 'by-subfolder'];

  it('is the same by its id, the start of it, its name, a folder of it, and what sessions call it', async () => {
    for (const reference of [id, id.slice(0, 14), 'shop', 'the-shop', folders.path])
      expect(await listed(reference)).toEqual(ALL);
    expect(await listed('bank')).toEqual(['of-another']);
    expect(await listed('nobody-knows')).toEqual([]);
  });

  it('is searched', async () => {
    const { client } = line;
    for (const sessionId of [...ALL, 'of-another', 'of-nobody'])
      await client.call('chat/message/add', { sessionId, role: 'user', content: 'Where is the key?' });
    const found = async (project: string) =>
      (await client.call('search', { query: 'key', project, limit: 50 })).hits
        .map((hit) => hit.session)
        .sort();
    for (const reference of [id, id.slice(0, 14), 'shop', 'the-shop', folders.path])
      expect(await found(reference)).toEqual(ALL);
    expect(await found('bank')).toEqual(['of-another']);
    expect(await found('nobody-knows')).toEqual([]);
  });

  it('has its own tags', async () => {
    await line.client.call('chat/session/update', { sessionId: 'by-folder', addTags: ['net'] });
    await line.client.call('chat/session/update', { sessionId: 'of-another', addTags: ['vault'] });
    const tags = async (project: string) => (await line.client.call('chat/session/tags', { project })).tags;
    expect(await tags('shop')).toEqual([{ tag: 'net', sessions: 1 }]);
    expect(await tags('bank')).toEqual([{ tag: 'vault', sessions: 1 }]);
  });

  it('can be looked through for titles and tags', async () => {
    const { client } = line;
    await client.call('chat/session/update', { sessionId: 'by-id', title: 'Café at the Corner' });
    await client.call('chat/session/update', {
      sessionId: 'of-another',
      title: 'Corner',
      addTags: ['cafés'],
    });
    const found = async (find: string, project?: string) =>
      (await client.call('chat/session/list', { find, ...(project !== undefined && { project }) })).sessions
        .map((session) => session.id)
        .sort();
    expect(await found('corner CAFE')).toEqual(['by-id', 'of-another']);
    expect(await found('corner cafe', 'shop')).toEqual(['by-id']);
    expect(await found('corner tea')).toEqual([]);
  });

  it('says which ones are meant where a name fits several', async () => {
    const other = createMemoryStore();
    await using there = await TRANSPORTS.stdio({ store: other });
    for (const project of ['one', 'two']) {
      await there.client.call('chat/session/create', { project });
      const added = await there.client.call('memory/add', { project, text: 'A fact.' });
      await linkLabel(other, await findProject(other, added.project.id), 'both');
    }
    await expect(there.client.call('chat/session/list', { project: 'both' })).rejects.toMatchObject({
      code: 'project-ambiguous',
      details: { candidates: expect.any(Array) },
    });
  });
});

it('comes in whole pages, each session once and in order, however few of them fit', async () => {
  const projects = ['shop', 'bank', 'zoo'];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(2), { minLength: 1, maxLength: 450 }),
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom<string[] | null>(null, ['shop'], ['bank', 'zoo']),
      fc.option(fc.constantFrom(...projects), { nil: undefined }),
      async (owners, limit, reach, project) => {
        let now = 1_000_000;
        const store = createMemoryStore({ now: () => ++now });
        for (const [index, owner] of owners.entries())
          await store.create({ id: `s${index}` }, [
            { body: { kind: 'setting', name: 'project', value: projects[owner]!, by: 'user' } },
          ]);
        const access: Access = { user: 'ann', mayWrite: true, projects: reach };
        const isShown = (name: string) => (!reach || reach.includes(name)) && (!project || name === project);
        const expected = owners
          .map((owner, index) => ({ id: `s${index}`, name: projects[owner]! }))
          .filter(({ name }) => isShown(name))
          .map((session) => session.id)
          .reverse();
        const found: string[] = [];
        for (let cursor: string | undefined; ; ) {
          const query = {
            place: 'active',
            limit,
            ...(project && { project }),
            ...(cursor && { cursor }),
          } as const;
          const page = await perform(listSessionsOperation, query, createAppOperation(store, { access }));
          found.push(...page.sessions.map(({ id }) => id));
          cursor = page.cursor ?? undefined;
          if (cursor === undefined) break;
          expect(page.sessions).toHaveLength(limit);
        }
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});
