import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptySummary, type Summary } from '../../src/record/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { openWork } from '../../src/work/index.ts';
import { scripted } from '../compaction/scripted-summariser.ts';
import { HOME } from './layout.ts';
import { openWorkshop } from './workshop.ts';

describe('the files of an orchestrator', () => {
  it('are written so that they can be read again elsewhere, with the same board and the same sessions', async () => {
    await using shop = await openWorkshop();
    const { work, repository } = shop;
    await work.setTask('auth', 'logout', { title: 'Sign out', dependsOn: ['login'] });
    await work.moveTask('auth', 'login', 'in_dev');
    const pm = await work.createSession('pm-feature', 'auth');
    await work.addMessage(pm, 'user', 'We need a login.');
    const dev = await work.getOrCreateSession('dev-task', 'auth', 'login');
    for (let n = 1; n <= 4; n++) {
      await work.addMessage(dev, 'user', `Step ${n}. ${'Please do this one now. '.repeat(20)}`);
      await work.addMessage(
        dev,
        'assistant',
        `Decision: step ${n} is by plan ${n}.\n${'I did it and it is fine. '.repeat(20)}`,
      );
    }
    await work.compact(dev);
    await work.recordLoop(dev, 4, { passed: ['build'], failed: [] });
    const { files, keptAside } = await work.exportLayout();
    expect(keptAside).toEqual([]);
    expect(files.map((file) => path.relative(repository.path, file)).sort()).toEqual(
      [
        `${HOME}/feature.json`,
        ...['agent-description', 'chat', 'checkpoint', 'context'].map(
          (kind) => `${HOME}/sessions/${kind}_${pm}.json`,
        ),
        `${HOME}/nodes/login/task.json`,
        ...['agent-description', 'chat', 'checkpoint', 'context'].map(
          (kind) => `${HOME}/nodes/login/sessions/${kind}_${dev}.json`,
        ),
        `${HOME}/nodes/logout/task.json`,
      ].sort(),
    );
    const read = (file: string) => JSON.parse(readFileSync(path.join(repository.path, HOME, file), 'utf8'));
    expect(read('feature.json')).toMatchObject({ id: 'auth', sessionId: pm });
    expect(read('nodes/login/task.json')).toMatchObject({
      currentState: 'in_dev',
      states: { in_dev: { sessionIds: [dev] } },
    });
    const checkpoint = await work.checkpoint(dev);
    expect(read(`nodes/login/sessions/checkpoint_${dev}.json`)).toMatchObject({
      summary: checkpoint.summary,
      tokens: checkpoint.tokens,
      ralphLoop: checkpoint.ralphLoop!,
    });

    const keys = (value: object) => Object.keys(value).sort();
    const own = (kind: string) => read(`nodes/login/sessions/${kind}_${dev}.json`);
    expect(keys(own('chat'))).toEqual(['messages', 'metadata', 'sessionId']);
    expect(keys(own('chat').metadata)).toEqual(['createdAt', 'messageCount', 'tokenCount', 'updatedAt']);
    expect(keys(own('chat').messages[0])).toEqual(['content', 'id', 'role', 'timestamp', 'tokens']);
    expect(keys(own('context'))).toEqual(
      [
        'sessionId',
        'type',
        'featureId',
        'taskId',
        'project',
        'feature',
        'task',
        'updatedAt',
        'tokens',
      ].sort(),
    );
    expect(keys(own('agent-description'))).toEqual(
      ['sessionId', 'agentType', 'role', 'instructions', 'allowedTools', 'createdAt', 'tokens'].sort(),
    );

    await using store = createMemoryStore();
    await using elsewhere = await openWork(store, { folder: repository.path });
    expect((await elsewhere.importLayout()).damaged).toEqual([]);
    expect((await elsewhere.task('auth', 'logout')).dependsOn).toEqual(['login']);
    expect((await elsewhere.checkpoint(dev)).summary).toEqual(checkpoint.summary);
    const request = async (desk: typeof work) => (await desk.buildRequest(dev, 'Go on.')).systemPrompt;
    const progress = (prompt: string) => prompt.slice(prompt.indexOf('# Checkpoint'));
    const there = progress(await request(elsewhere));
    expect(there).toBe(progress(await request(work)));
    expect(there).toMatch(/## Goal:[\s\S]*# Recent Conversation/);
  });

  it('carry goals, overviews, dropped options, facts and files of summaries, for which their lists have no place', async () => {
    const summary = (n: number): Summary => ({
      ...emptySummary(`Part ${n} was built.\n\nThen it was tested.`),
      goal: [{ text: `Build part ${n}.`, from: [] }],
      dropped: [{ text: `part ${n} without a port`, from: [] }],
      facts: [{ text: `part ${n} needs port ${4000 + n}`, from: [] }],
      files: [{ path: `src/part-${n}.ts`, operations: ['write'] }],
    });
    let written = 0;
    const summariser = scripted(() => ({ summary: summary(++written) }));
    await using shop = await openWorkshop({ summariser });
    const { work, repository } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    for (let round = 1; round <= 2; round++) {
      for (let n = 1; n <= 4; n++) {
        await work.addMessage(id, 'user', `Step ${n}. ${'Please do this one now. '.repeat(20)}`);
        await work.addMessage(
          id,
          'assistant',
          `Part ${round}: port ${4000 + round}, src/part-${round}.ts. ${'It is fine. '.repeat(40)}`,
        );
      }
      await work.compact(id);
    }
    await work.exportLayout();
    await using store = createMemoryStore();
    await using elsewhere = await openWork(store, { folder: repository.path });
    await elsewhere.importLayout();
    const { systemPrompt } = await elsewhere.buildRequest(id, 'Go on.');
    expect(systemPrompt.slice(systemPrompt.indexOf('# Checkpoint'))).toBe(
      (await work.buildRequest(id, 'Go on.')).systemPrompt.replace(/^[\s\S]*(?=# Checkpoint)/, ''),
    );
    for (const text of [
      'part 1 needs port 4001',
      'part 2 needs port 4002',
      'src/part-2.ts (write)',
      'Part 1 was built.',
      'Build part 1.',
      'part 1 without a port',
    ])
      expect(systemPrompt).toContain(text);
  });

  it('are written again without losing what another program put there', async () => {
    await using shop = await openWorkshop();
    const { work, repository } = shop;
    const id = await work.createSession('pm-feature', 'auth');
    await work.addMessage(id, 'user', 'We need a login.');
    await work.exportLayout();
    const feature = path.join(repository.path, HOME, 'feature.json');
    writeFileSync(feature, JSON.stringify({ ...JSON.parse(readFileSync(feature, 'utf8')), colour: 'green' }));
    const chat = path.join(repository.path, HOME, 'sessions', `chat_${id}.json`);
    const theirs = JSON.parse(readFileSync(chat, 'utf8'));
    theirs.messages.push({
      id: 'x',
      timestamp: '2026-01-01T00:00:00.000Z',
      role: 'user',
      content: 'Only here.',
    });
    writeFileSync(chat, JSON.stringify(theirs));
    await work.addMessage(id, 'assistant', 'It is planned.');
    const { keptAside } = await work.exportLayout();
    expect(JSON.parse(readFileSync(feature, 'utf8'))).toMatchObject({ colour: 'green', name: 'Sign in' });
    expect(keptAside).toEqual([
      { file: chat, aside: `${chat}.aside-1`, why: expect.stringContaining('1 of its messages') },
    ]);
    expect(readFileSync(`${chat}.aside-1`, 'utf8')).toContain('Only here.');
    expect(readFileSync(chat, 'utf8')).toContain('It is planned.');
    await work.exportLayout();
    expect(existsSync(`${chat}.aside-2`)).toBe(false);
  });

  it('that were written from here are taken back into the same session, with what others added', async () => {
    await using shop = await openWorkshop();
    const { work, repository, store } = shop;
    const id = await work.createSession('pm-feature', 'auth');
    await work.addMessage(id, 'user', 'We need a login.');
    await work.exportLayout();
    const chat = path.join(repository.path, HOME, 'sessions', `chat_${id}.json`);
    const theirs = JSON.parse(readFileSync(chat, 'utf8'));
    theirs.messages.push({
      id: 'x',
      timestamp: '2026-01-01T00:00:00.000Z',
      role: 'assistant',
      content: 'From them.',
    });
    writeFileSync(chat, JSON.stringify(theirs));
    for (let times = 0; times < 2; times++) expect((await work.importLayout()).damaged).toEqual([]);
    expect((await store.list({ limit: 10 })).sessions).toHaveLength(1);
    expect((await store.session(id))!.totals.messages).toBe(2);
    expect((await work.buildRequest(id, 'Go on.')).systemPrompt).toContain('**Assistant**: From them.');
    expect((await work.exportLayout()).keptAside).toEqual([]);
  });
});
