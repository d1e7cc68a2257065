import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/index.ts';
import { openWork } from '../../src/work/index.ts';
import { HOME, UUID, writeLayout } from './layout.ts';
import { makeRepository } from './workshop.ts';

describe('the files of an orchestrator', () => {
  it('are written without the drafts of an export that was killed, and those of one that runs stay', async () => {
    using repository = makeRepository();
    await using store = createMemoryStore();
    await using work = await openWork(store, { folder: repository.path });
    await work.setFeature('auth', { name: 'Sign in' });
    await work.exportLayout();
    const folder = path.join(repository.path, HOME);
    const draft = (hex: string) => path.join(folder, `feature.json.${hex}.tmp`);
    for (const hex of ['0123456789ab', 'ba9876543210']) writeFileSync(draft(hex), '{');
    utimesSync(draft('0123456789ab'), 0, 0);
    await work.exportLayout();
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([
      path.basename(draft('ba9876543210')),
    ]);
  });

  it('are read: features, tasks with their states, and sessions that can be gone on with', async () => {
    using repository = makeRepository();
    writeLayout(repository);
    await using store = createMemoryStore();
    await using work = await openWork(store, { folder: repository.path });
    const found = await work.importLayout();
    expect(found).toMatchObject({ features: ['auth'], damaged: [] });
    expect(await work.feature('auth')).toMatchObject({ name: 'Sign in' });
    expect(await work.task('auth', 'login')).toMatchObject({
      state: 'in_qa',
      dependsOn: ['store'],
      title: 'Build the login',
    });
    expect((await work.task('auth', 'store')).state).toBe('done');

    expect(await work.getOrCreateSession('dev-task', 'auth', 'login', 'in_dev')).toBe(UUID);
    expect(await work.checkpoint(UUID)).toMatchObject({
      summary: {
        completedItems: ['the form'],
        pendingItems: ['the check'],
        decisions: ['no cookies'],
        blockers: ['the key'],
      },
      ralphLoop: { currentIteration: 9, failedChecks: ['test'], lastError: 'boom' },
      version: 3,
      tokens: { lastCompactionInput: 90_000, totalSaved: 250_000 },
    });
    const { systemPrompt } = await work.buildRequest(UUID, 'Go on.');
    for (const text of ['no cookies', 'I mended it.', '# Context', 'Two fields.'])
      expect(systemPrompt).toContain(text);
    await work.addMessage(UUID, 'user', 'Go on.');
  });

  it('are read also where another program says something else in them', async () => {
    using repository = makeRepository();
    writeLayout(repository);
    const sessions = `${HOME}/nodes/login/sessions`;
    repository.write(`${sessions}/agent-description_${UUID}.json`, '{"agentType":"dev","role":7}');
    repository.write(`${sessions}/context_${UUID}.json`, '{"type":"dev-task","tokens":"many"}');
    await using store = createMemoryStore();
    await using work = await openWork(store, { folder: repository.path });
    await work.importLayout();
    expect(await work.estimateRequestSize(UUID)).toBeGreaterThan(0);
    expect((await work.buildRequest(UUID, 'Go on.')).systemPrompt).toContain(
      'You are the developer of this task.',
    );
  });

  it('are read again without a change, and newer decisions here stay', async () => {
    using repository = makeRepository();
    writeLayout(repository);
    await using store = createMemoryStore();
    await using work = await openWork(store, { folder: repository.path });
    await work.importLayout();
    const { entries } = await store.verify();
    const again = await work.importLayout();
    expect((await store.verify()).entries).toBe(entries);
    expect(again.sessions.reduce((sum, { added }) => sum + added, 0)).toBe(0);
    await work.moveTask('auth', 'login', 'in_merge');
    await work.setTask('auth', 'login', { title: 'A better title' });
    await work.moveFeature('auth', 'in_progress');
    await work.importLayout();
    expect((await work.feature('auth')).state).toBe('in_progress');
    expect(await work.task('auth', 'login')).toMatchObject({ state: 'in_merge', title: 'A better title' });
  });

  it.each(['chat.json', 'session.json'])('are read from the older %s too', async (name) => {
    using repository = makeRepository();
    const at = '2025-06-01T10:00:00.000Z';
    const old =
      name === 'chat.json'
        ? {
            entries: [
              { role: 'user', content: 'An old question.', timestamp: at },
              { role: 'assistant', content: 'An old answer.', timestamp: at },
            ],
          }
        : {
            taskId: 'login',
            agentId: 'dev',
            startedAt: at,
            messages: [
              { direction: 'harness_to_task', content: 'An old question.', timestamp: at },
              { direction: 'task_to_harness', content: 'An old answer.', timestamp: at },
            ],
          };
    repository.write(`${HOME}/nodes/login/${name}`, JSON.stringify(old));
    await using store = createMemoryStore();
    await using work = await openWork(store, { folder: repository.path });
    const { sessions, damaged } = await work.importLayout();
    expect([sessions.length, damaged]).toEqual([1, []]);
    const id = await work.getOrCreateSession('dev-task', 'auth', 'login');
    expect(id).toBe(sessions[0]!.id);
    const { systemPrompt } = await work.buildRequest(id, 'Go on.');
    expect(systemPrompt).toContain('**User**: An old question.\n\n**Assistant**: An old answer.');
  });

  it.each([
    { file: 'feature.json', text: '{"id": "au' },
    { file: 'nodes/login/task.json', text: '\0\0\0\0' },
    { file: `nodes/login/sessions/chat_${UUID}.json`, text: 'not json at all' },
    { file: `nodes/login/sessions/chat_${UUID}.json`, text: '' },
    { file: `nodes/login/sessions/checkpoint_${UUID}.json`, text: '{"summary": {' },
    { file: `nodes/login/sessions/context_${UUID}.json`, text: '[]' },
  ])('that are corrupt are named and left as they are: $file', async ({ file, text }) => {
    using repository = makeRepository();
    writeLayout(repository);
    const broken = path.join(repository.path, HOME, file);
    writeFileSync(broken, text);
    await using store = createMemoryStore();
    await using work = await openWork(store, { folder: repository.path });
    const { damaged, features, tasks } = await work.importLayout();
    expect([...new Set(damaged.map((one) => one.file))]).toEqual([broken]);
    expect(readFileSync(broken, 'utf8')).toBe(text);
    expect([features, tasks.map(({ task }) => task)]).toEqual([['auth'], ['login', 'store']]);

    // And when the layout is written there, what nobody could read is still to be had.
    const { keptAside } = await work.exportLayout();
    const kept = keptAside.filter((one) => one.file === broken);
    if (!file.includes('chat_')) expect(kept).toHaveLength(1);
    for (const { aside } of kept) expect(readFileSync(aside, 'utf8')).toBe(text);
    if (kept.length === 0) expect(readFileSync(broken, 'utf8')).toBe(text);
    else expect(() => JSON.parse(readFileSync(broken, 'utf8'))).not.toThrow();
  });
});
