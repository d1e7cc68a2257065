import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { openWork } from '../../src/work/index.ts';
import { workMessageText } from '../../src/work/request/message-text.ts';
import { type Child, startChild, tempFolder } from '../flows/child.ts';

const start = (...args: string[]): Child => startChild('../work/work-along.ts', args);
const fine = { code: 0, signal: null, stderr: '' };

async function said(store: Store, id: string): Promise<string[]> {
  const entries = await store.read(id);
  return entries.flatMap(({ body }) => {
    if (body.kind === 'message') return [workMessageText(body)];
    return body.kind === 'loop' ? [`loop ${body.iteration} ${body.failed.length}`] : [];
  });
}

describe('several processes', () => {
  it('work on different tasks of one board that none of them knew', async () => {
    using temp = tempFolder();
    const file = temp.file('store.db');
    const children = ['login', 'logout', 'reset'].map((task) => start('loop', file, temp.path, task, '5'));
    expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([fine, fine, fine]);
    await using store = await openSqliteStore(file);
    await using work = await openWork(store, { folder: temp.path });
    const feature = await work.feature('auth');
    expect([...feature.tasks.keys()].sort()).toEqual(['login', 'logout', 'reset']);
    for (const task of feature.tasks.values()) {
      expect([task.state, task.moves.length, task.sessions.length]).toEqual(['in_dev', 1, 1]);
      expect((await work.checkpoint(task.sessions[0]!.session)).ralphLoop!.currentIteration).toBe(5);
    }
    expect((await store.verify()).problems).toEqual([]);
  });

  it('work on one task: they share its session, keep all they say, and stay under the budget', async () => {
    using temp = tempFolder();
    const file = temp.file('store.db');
    const children = [1, 2].map(() => start('talk', file, temp.path, 'login', '25'));
    expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([fine, fine]);
    expect(new Set(children.map(({ lines }) => lines[0]))).toEqual(
      new Set(['session dev_auth_login_in_dev']),
    );
    const added = children.flatMap(({ lines }) => lines.slice(1).map((line) => line.split(' ')));
    expect(Math.max(...added.map(([, , tokens]) => Number(tokens)))).toBeLessThanOrEqual(3000);
    await using store = await openSqliteStore(file);
    const messages = await store.read('dev_auth_login_in_dev', { only: 'messages' });
    expect(messages.map(({ id }) => id).sort()).toEqual(added.map(([, id]) => id).sort());
    expect((await store.verify()).problems).toEqual([]);
  });

  it('of which one is killed over and over go on to the same end', async () => {
    using temp = tempFolder();
    const whole = temp.file('whole.db');
    await start('loop', whole, temp.path, 'login', '8').ended;
    const file = temp.file('store.db');
    for (let kill = 0; kill < 3; kill++) {
      const child = start('loop', file, temp.path, 'login', '8');
      await child.line(kill === 0 ? 'session' : `iteration ${kill * 2}`);
      child.process.kill('SIGKILL');
      await child.ended;
    }
    const last = start('loop', file, temp.path, 'login', '8');
    expect(await last.ended).toEqual(fine);
    expect(last.lines.at(-1)).toBe('end passed');
    await using expected = await openSqliteStore(whole);
    await using store = await openSqliteStore(file);
    expect(await said(store, 'dev_auth_login_in_dev')).toEqual(await said(expected, 'dev_auth_login_in_dev'));
    expect((await store.verify()).problems).toEqual([]);
  });
});
