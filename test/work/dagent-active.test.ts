import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/index.ts';
import { openWork } from '../../src/work/index.ts';
import { HOME, UUID, writeLayout } from './layout.ts';
import { makeRepository, type Repository } from './workshop.ts';

const AT = '2026-01-02T03:04:05.000Z';

function writeChat({ write }: Repository, folder: string, id: string): void {
  const messages = [{ id: `m-${id}`, timestamp: AT, role: 'user', content: `I am ${id}.`, tokens: 4 }];
  write(`${folder}/sessions/chat_${id}.json`, JSON.stringify({ sessionId: id, messages }));
}

const NAMES = ['aaaa1111', 'bbbb4444', 'cccc5555', 'eeee3333', 'ffff2222'];
const some = fc.shuffledSubarray(NAMES, { minLength: 1 });

describe('the active session of an orchestrator', () => {
  it('is the one that its files name, and they name it again when they are written', async () => {
    await fc.assert(
      fc.asyncProperty(some, some, fc.nat(), async (ofFeature, ofTask, n) => {
        using repository = makeRepository({ git: false });
        const active = ofFeature[n % ofFeature.length]!;
        const task = `${HOME}/nodes/login`;
        for (const id of NAMES) {
          if (ofFeature.includes(id)) writeChat(repository, HOME, `f-${id}`);
          // Those that the task does not name are there all the same.
          writeChat(repository, task, `t-${id}`);
        }
        const named = ofTask.map((id) => `t-${id}`);
        const states = { planning: { note: 'theirs', sessionIds: [] }, in_dev: { sessionIds: named } };
        repository.write(`${HOME}/feature.json`, JSON.stringify({ id: 'auth', sessionId: `f-${active}` }));
        repository.write(`${task}/task.json`, JSON.stringify({ currentState: 'in_dev', states }));
        repository.write(
          `${task}/chat.json`,
          JSON.stringify({ entries: [{ role: 'user', content: 'Old.', timestamp: AT }] }),
        );
        await using store = createMemoryStore();
        await using work = await openWork(store, { folder: repository.path });
        for (let times = 0; times < 2; times++) {
          expect((await work.importLayout()).damaged).toEqual([]);
          expect(await work.getActiveSession('auth')).toBe(`f-${active}`);
          expect(await work.getActiveSession('auth', 'login', 'in_dev')).toBe(named.at(-1));
          await work.exportLayout();
          const read = (file: string) => JSON.parse(readFileSync(path.join(repository.path, file), 'utf8'));
          expect(read(`${HOME}/feature.json`).sessionId).toBe(`f-${active}`);
          const written = read(`${task}/task.json`).states;
          expect(written.planning).toEqual({ note: 'theirs', sessionIds: [] });
          expect(written.in_dev.sessionIds.slice(-named.length)).toEqual(named);
        }
      }),
      { numRuns: 8 },
    );
  });
});

describe('a chat that nothing can be read of', () => {
  const sessions = `${HOME}/nodes/login/sessions`;

  it.each(['not json at all', '', '\0\0\0\0'])('is reported with its checkpoint: %j', async (text) => {
    using repository = makeRepository({ git: false });
    writeLayout(repository);
    const [chat, checkpoint] = ['chat', 'checkpoint'].map((kind) =>
      path.join(repository.path, sessions, `${kind}_${UUID}.json`),
    ) as [string, string];
    writeFileSync(chat, text);
    const whole = readFileSync(checkpoint, 'utf8');
    await using store = createMemoryStore();
    await using work = await openWork(store, { folder: repository.path });
    expect((await work.importLayout()).damaged).toEqual([
      { file: chat, what: expect.any(String), checkpoint },
    ]);
    await work.exportLayout();
    expect(readFileSync(checkpoint, 'utf8')).toBe(whole);
    const task = path.join(repository.path, HOME, 'nodes/login/task.json');
    expect(JSON.parse(readFileSync(task, 'utf8')).states.in_dev.sessionIds).toEqual([UUID]);

    writeFileSync(checkpoint, '{"summary": {');
    expect((await work.importLayout()).damaged.map(({ file }) => file).sort()).toEqual([chat, checkpoint]);
  });

  it('does not cost the newer checkpoint beside it when the session is written again', async () => {
    using repository = makeRepository({ git: false });
    writeLayout(repository);
    await using store = createMemoryStore();
    await using work = await openWork(store, { folder: repository.path });
    await work.importLayout();
    const file = path.join(repository.path, sessions, `checkpoint_${UUID}.json`);
    const newer = JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version: 4 });
    writeFileSync(file, newer);
    writeFileSync(path.join(repository.path, sessions, `chat_${UUID}.json`), '{ torn');
    const { keptAside } = await work.exportLayout();
    expect(keptAside.find((one) => one.file === file)).toMatchObject({ aside: `${file}.aside-1` });
    expect(readFileSync(`${file}.aside-1`, 'utf8')).toBe(newer);
  });
});
