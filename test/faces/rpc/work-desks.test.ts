import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findProject, linkFolder } from '../../../src/project/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { refusingAppends } from '../../session/store-doubles.ts';
import { makeRepository } from '../../work/workshop.ts';
import { TRANSPORTS } from './transports.ts';

const place = { type: 'dev-task' as const, feature: 'auth', task: 'login' };

describe('the work of a project, for as long as a server runs', () => {
  it('goes on in the newly linked folder of the project', async () => {
    using before = makeRepository({ git: false });
    using after = makeRepository({ git: false });
    before.write('AGENTS.md', 'The rules of before.');
    after.write('AGENTS.md', 'The rules of after.');
    await using line = await TRANSPORTS.stdio();
    const { client, store } = line;
    const project = before.path;
    await client.call('work/feature/set', { project, feature: 'auth' });
    await client.call('work/task/set', { project, feature: 'auth', task: 'login' });
    const { session } = await client.call('work/session/open', { project, ...place });
    const ask = async () =>
      (await client.call('work/request', { sessionId: session.session, question: 'Go on.' })).systemPrompt;
    expect(await ask()).toContain('The rules of before.');

    const known = await findProject(store, project);
    rmSync(before.path, { recursive: true });
    await linkFolder(store, known, after.path);
    expect(await ask()).toContain('The rules of after.');
    const { features } = await client.call('work/features', { project: after.path });
    expect(features).toMatchObject([{ id: 'auth', tasks: [{ id: 'login' }] }]);
  });

  it('is written when the server closes, if the disk refused it before', async () => {
    using repository = makeRepository({ git: false });
    const { store, refusal } = refusingAppends(createMemoryStore(), { left: 0 });
    const project = repository.path;
    const ids: string[] = [];
    {
      await using line = await TRANSPORTS.stdio({ store });
      const { client } = line;
      await client.call('work/feature/set', { project, feature: 'auth' });
      for (const task of ['login', 'logout']) {
        await client.call('work/task/set', { project, feature: 'auth', task });
        const { session } = await client.call('work/session/open', { project, ...place, task });
        const sessionId = session.session;
        ids.push(sessionId);
        refusal.left = Number.POSITIVE_INFINITY;
        await expect(
          client.call('work/message/add', { sessionId, role: 'user', content: 'Keep this.' }),
        ).rejects.toMatchObject({ code: 'not-saved' });
        refusal.left = 0;
      }
    }
    for (const id of ids) expect((await store.session(id))!.totals.messages).toBe(1);
  });

  it('says of each task where it may go', async () => {
    using repository = makeRepository({ git: false });
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const project = repository.path;
    const move = (task: string, to: string, force = false) =>
      client.call('work/task/move', { project, feature: 'auth', task, to, force });
    await client.call('work/feature/set', { project, feature: 'auth' });
    await client.call('work/task/set', { project, feature: 'auth', task: 'store' });
    await client.call('work/task/set', { project, feature: 'auth', task: 'login', dependsOn: ['store'] });
    const nextOf = async (wanted: string) =>
      (await client.call('work/tasks', { project })).tasks.find(({ id }) => id === wanted)!.next;
    expect(await nextOf('login')).toEqual(['blocked', 'cancelled']);
    await move('store', 'done', true);
    expect(await nextOf('login')).toEqual(['in_dev', 'blocked', 'cancelled']);
    expect(await nextOf('store')).toEqual(['in_dev']);

    // What it says is what the server does.
    const states = ['planning', 'in_dev', 'in_qa', 'in_merge', 'done', 'blocked', 'cancelled'];
    for (const waits of [true, false]) {
      await move('store', waits ? 'in_dev' : 'done', true);
      for (const from of states) {
        for (const to of states.filter((state) => state !== from)) {
          const { task } = await move('login', from, true);
          const went = await move('login', to).then(
            () => true,
            () => false,
          );
          expect([from, to, went]).toEqual([from, to, task.next.includes(to)]);
        }
      }
    }
  });
});
