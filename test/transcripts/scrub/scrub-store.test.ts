import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addFact, findProject, openProject, readMemory } from '../../../src/project/index.ts';
import { forgetInIndexes, openRecall } from '../../../src/search/index.ts';
import { createSession, forkSession, titleSession, trashSession } from '../../../src/session/index.ts';
import { createMemoryStore, openStore, wholeBody } from '../../../src/store/index.ts';
import { assistant, compaction, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { lookFor } from '../../../src/text/secrets/index.ts';
import { scrubStore } from '../../../src/transcripts/scrub/index.ts';
import { tempFolder } from '../../flows/child.ts';
import { anyBody } from '../../record/arbitraries.ts';

const WORD = 'quokka-"seven"-zebra';
const PLAIN = /quokka|zebra/i;
const find = lookFor({ texts: [WORD] });
const long = `${'a log line that goes on '.repeat(3000)}${WORD}`;

/** The names of all files in which it is, as it is or in another coat. */
function filesWith(folder: string): string[] {
  const coats = [
    WORD,
    JSON.stringify(WORD).slice(1, -1),
    'quokka',
    Buffer.from(`key=${WORD}`).toString('base64'),
  ];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => `${one.parentPath}/${one.name}`)
    .filter((file) => coats.some((coat) => readFileSync(file).includes(coat)));
}

describe('scrubbing a store', () => {
  it('finds it in what tools were given and gave back, also where our own fields have such names', async () => {
    const store = createMemoryStore();
    const names = ['id', 'type', 'status', 'kind', 'entry', 'role'];
    const given = Object.fromEntries(names.map((name) => [name, WORD]));
    await store.create({ id: 's' }, [
      { body: toolCall('login', { ...given, list: [given] }, { id: 'c' }) },
      { body: toolResult('login', given, { id: 'c' }) },
      { body: { kind: 'setting', name: 'account', value: given, by: 'host' } },
      { body: { kind: 'document', id: 'd', title: 'Keys', content: given, meta: given } },
    ]);
    await scrubStore(store, { find });
    expect(JSON.stringify(await store.read('s'))).not.toMatch(PLAIN);
    expect((await store.read('s')).map(({ body }) => body.kind)).toEqual([
      'message',
      'message',
      'setting',
      'document',
    ]);
  });

  it('names the session that a fork shares a secret with, and changes only the fork', async () => {
    const store = createMemoryStore();
    await store.create({ id: 'eldest' }, [{ body: user(`It is ${WORD}.`) }, { body: user('no secret') }]);
    const forkOf = (session: string) => ({ session, relation: 'fork' as const, seq: 2 });
    await store.create({ id: 'middle', parent: forkOf('eldest') }, [{ body: user(`Again ${WORD}.`) }]);
    await store.create({ id: 'fork', parent: forkOf('middle') }, [{ body: user('mine') }]);
    const scrubbed = await scrubStore(store, { find, sessions: ['fork'] });
    expect(scrubbed).toMatchObject({ sessions: [], secrets: 0, shared: ['eldest'] });
    const both = await scrubStore(store, { find, sessions: ['fork', 'eldest'] });
    expect(both).toMatchObject({ sessions: [{ id: 'eldest' }], shared: [] });
    expect(JSON.stringify(await store.read('fork'))).not.toMatch(PLAIN);
  });

  it('leaves no trace of a secret in any file, and everything else as it was', async () => {
    using folder = tempFolder();
    const store = await openStore(folder.file('store.db'));
    const session = await createSession(store, { id: 's', title: `About ${WORD}` });
    await session.append([
      user(`The key is ${WORD}.`),
      toolCall('login', { [`x-${WORD}`]: 1, list: [{ password: WORD }] }, { id: 'c' }),
      toolResult('login', { said: long }, { id: 'c' }),
      user([{ type: 'file', mediaType: 'text/plain', data: Buffer.from(`key=${WORD}`).toString('base64') }]),
      user([{ type: 'file', mediaType: 'text/plain', data: new Uint8Array(Buffer.from(`bytes ${WORD}`)) }]),
      assistant('Nothing to hide.'),
    ]);
    const { head } = session.info;
    await session.append([compaction({ covers: { from: 1, to: head - 1 }, summary: `They used ${WORD}.` })]);
    await session.close();
    const fork = await forkSession(store, (await store.session('s'))!, { at: 3, id: 'fork' });
    await store.append(fork.id, [{ body: user(`And ${WORD} here`) }]);
    await store.create({ id: 'gone' }, [{ body: user(WORD) }]);
    await trashSession(store, 'gone');
    await store.create({ id: 'clean' }, [{ body: user('An innocent question about marmots') }]);
    const project = await openProject(store, await findProject(store, folder.path));
    await addFact(store, project, `The pass phrase is ${WORD}`, { source: { by: 'person', name: 'Anna' } });
    await titleSession(store, 'clean', 'Marmots');
    {
      await using recall = await openRecall(store);
      await recall.catchUp();
      expect(await recall.search('quokka')).not.toEqual([]);
    }
    expect(filesWith(folder.path)).not.toEqual([]);
    const before = await store.read('clean');

    const dry = await scrubStore(store, { find, dryRun: true });
    expect(filesWith(folder.path)).not.toEqual([]);
    const report = await scrubStore(store, { find });
    expect(report).toEqual(dry);
    expect(report).toMatchObject({ busy: [], named: [], secrets: 1 });
    expect(report.sessions.map(({ id }) => id)).toEqual(expect.arrayContaining(['s', 'fork', 'gone']));
    await forgetInIndexes(
      store,
      report.sessions.map(({ id }) => id),
    );

    expect(filesWith(folder.path)).toEqual([]);
    expect((await store.verify()).problems).toEqual([]);
    expect(await store.read('clean')).toEqual(before);
    expect(JSON.stringify(await store.session('s'))).not.toMatch(PLAIN);
    expect(JSON.stringify([...(await readMemory(store, project)).facts.values()])).toContain(
      'The pass phrase is [secret-1 named]',
    );
    expect((await scrubStore(store, { find })).sessions).toEqual([]);
    {
      await using recall = await openRecall(store);
      await recall.catchUp();
      expect(await recall.search('quokka', { by: 'words' })).toEqual([]);
      expect(await recall.search('marmots')).not.toEqual([]);
    }
    await store[Symbol.asyncDispose]();
    expect(filesWith(folder.path)).toEqual([]);
  });

  it('takes it out of whatever a log can hold', async () => {
    const place = fc.constantFrom<(body: object) => object>(
      (body) => ({ ...body, meta: { deep: [{ note: `x ${WORD} y` }] } }),
      (body) => body,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anyBody, place), { minLength: 1, maxLength: 6 }), async (bodies) => {
        const store = createMemoryStore();
        await store.create({ id: 's' });
        for (const [body, change] of bodies) {
          const changed = body.kind === 'message' ? change(body) : body;
          await store.append('s', [{ body: changed as typeof body }]).catch(() => {});
        }
        const { head } = (await store.session('s'))!;
        await scrubStore(store, { find });
        const after = await store.read('s');
        expect(after).toHaveLength(head);
        for (const { body } of after)
          expect(JSON.stringify(await wholeBody(body, (hash) => store.blob(hash)))).not.toMatch(PLAIN);
        expect((await store.verify()).problems).toEqual([]);
        expect((await scrubStore(store, { find })).sessions).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('leaves a session alone that another process writes in, and says so', async () => {
    const store = createMemoryStore();
    const session = await createSession(store, { id: 's' });
    await session.append([user(WORD)]);
    expect(await scrubStore(store, { find })).toMatchObject({ sessions: [], busy: ['s'] });
    await session.close();
    expect(await scrubStore(store, { find })).toMatchObject({
      sessions: [{ id: 's', entries: 1 }],
      busy: [],
    });
  });

  it('finds secrets with the scanner of today, and touches only the sessions that are named', async () => {
    const store = createMemoryStore();
    const token = `ghp_${'Ab1'.repeat(12)}`;
    for (const id of ['a', 'b']) await store.create({ id }, [{ body: user(`use ${token}`) }]);
    const report = await scrubStore(store, { find: lookFor({}), sessions: ['b'] });
    expect(report.sessions).toEqual([{ id: 'b', entries: 1 }]);
    expect(JSON.stringify(await store.read('a'))).toContain(token);
    expect(JSON.stringify(await store.read('b'))).toContain('use [secret-1 github]');
  });
});
